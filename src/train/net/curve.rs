//! The loss of a training, as CSV and as a picture.

use std::fmt::Write;

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Row {
    /// From 1.
    pub epoch: u32,
    pub rate: f64,
    /// Mean squared error over the epoch's batches.
    pub training: f64,
    /// Mean squared error over the games set aside, after the epoch; no number where there are none.
    pub validation: f64,
}

/// A number with `decimals` decimals; empty for what is not a number.
pub fn digits(value: f64, decimals: usize) -> String {
    if value.is_nan() { String::new() } else { format!("{value:.decimals$}") }
}

/// `epoch,rate,training,validation` and a line an epoch.
pub fn csv(rows: &[Row]) -> String {
    let mut text = "epoch,rate,training,validation\n".to_owned();
    for row in rows {
        let validation = digits(row.validation, 7);
        let _ = writeln!(text, "{},{:.3e},{:.7},{validation}", row.epoch, row.rate, row.training);
    }
    text
}

const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 400.0;
const MARGIN: f64 = 60.0;

/// Both losses over the epochs, as an SVG document.
pub fn svg(rows: &[Row], title: &str) -> String {
    let values = || rows.iter().flat_map(|r| [r.training, r.validation]).filter(|v| v.is_finite());
    let (low, high) = values().fold((f64::MAX, f64::MIN), |(lo, hi), v| (lo.min(v), hi.max(v)));
    let (low, high) = if low < high { (low, high) } else { (0.0, 1.0) };
    let last = rows.iter().map(|r| r.epoch).max().unwrap_or(1).max(2);
    let x = |epoch: u32| {
        MARGIN + (WIDTH - 2.0 * MARGIN) * f64::from(epoch.saturating_sub(1)) / f64::from(last - 1)
    };
    let y = |v: f64| HEIGHT - MARGIN - (HEIGHT - 2.0 * MARGIN) * (v - low) / (high - low);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" font-family=\"sans-serif\" \
         font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n\
         <text x=\"{}\" y=\"24\" text-anchor=\"middle\" font-size=\"15\">{}</text>\n",
        WIDTH / 2.0,
        escaped(title)
    );
    for step in 0..=4 {
        let value = low + (high - low) * f64::from(step) / 4.0;
        let (left, right, at) = (MARGIN, WIDTH - MARGIN, y(value));
        let _ = writeln!(
            svg,
            "<path d=\"M{left} {at:.1}H{right}\" stroke=\"#ddd\"/><text x=\"{}\" y=\"{:.1}\" \
             text-anchor=\"end\">{value:.5}</text>",
            left - 6.0,
            at + 4.0
        );
    }
    for epoch in (1..=last).step_by((last as usize).div_ceil(10)) {
        let _ = writeln!(
            svg,
            "<text x=\"{:.1}\" y=\"{}\" text-anchor=\"middle\">{epoch}</text>",
            x(epoch),
            HEIGHT - MARGIN + 18.0
        );
    }
    let lines: [(&str, &str, fn(&Row) -> f64); 2] =
        [("training", "#1f77b4", |r| r.training), ("validation", "#d62728", |r| r.validation)];
    for (i, (name, color, value)) in lines.into_iter().enumerate() {
        let points: Vec<String> = rows
            .iter()
            .filter(|r| value(r).is_finite())
            .map(|r| format!("{:.1},{:.1}", x(r.epoch), y(value(r))))
            .collect();
        let _ = writeln!(
            svg,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{color}\" stroke-width=\"2\"/>\
             <text x=\"{}\" y=\"{}\" fill=\"{color}\">{name}</text>",
            points.join(" "),
            WIDTH - MARGIN - 80.0,
            50 + 16 * i
        );
    }
    svg.push_str("</svg>\n");
    svg
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn curves_are_drawn_within_the_frame() {
        let rows: Vec<Row> = (1..=12)
            .map(|epoch| Row {
                epoch,
                rate: 0.001,
                training: 0.2 / f64::from(epoch),
                validation: 0.21 / f64::from(epoch),
            })
            .collect();
        assert_eq!(csv(&rows).lines().count(), 13);
        assert_eq!(csv(&rows).lines().nth(1), Some("1,1.000e-3,0.2000000,0.2100000"));
        let picture = svg(&rows, "a < b");
        assert!(picture.contains("a &lt; b") && picture.ends_with("</svg>\n"));
        let points = picture.split("points=\"").nth(1).and_then(|s| s.split('"').next()).unwrap();
        assert_eq!(points.split(' ').count(), 12);
        for point in points.split(' ') {
            let (x, y) = point.split_once(',').unwrap();
            assert!((MARGIN..=WIDTH - MARGIN).contains(&x.parse().unwrap()));
            assert!((MARGIN..=HEIGHT - MARGIN).contains(&y.parse().unwrap()));
        }
        // One epoch, or a diverged training, still gives a picture.
        assert!(svg(&rows[..1], "").ends_with("</svg>\n"));
        assert!(svg(&[Row { validation: f64::NAN, ..rows[0] }], "").ends_with("</svg>\n"));
    }
}
