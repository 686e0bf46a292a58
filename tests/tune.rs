//! The numbers of the search: parameter lines in every build, options in a build with `--features tune`.

use crate::support::{built_with_tests, run_program, stdout};

fn lines(args: &[&str]) -> Vec<String> {
    stdout(&run_program(built_with_tests(), args, "")).lines().map(str::to_owned).collect()
}

#[test]
fn parameter_lines_are_openbenchs() {
    for game in ["chess", "xiangqi"] {
        let lines = lines(&["tune", "--print", game]);
        assert!(lines.len() > 20, "{game}: {lines:?}");
        for line in &lines {
            let fields: Vec<&str> = line.split(", ").collect();
            let [name, "int", value, min, max, c_end, r_end] = fields[..] else { panic!("{line}") };
            assert!(!name.contains(' '));
            let [value, min, max, c_end, r_end] =
                [value, min, max, c_end, r_end].map(|n| n.parse::<f64>().unwrap());
            assert!(
                min <= value && value <= max && 0.0 < c_end && c_end < max - min && r_end > 0.0,
                "{line}"
            );
        }
    }
}

/// What the engine declares.
fn options() -> Vec<String> {
    let text = stdout(&run_program(built_with_tests(), &["uci"], "uci\nquit\n"));
    assert!(text.contains("option name Hash type spin"), "{text}");
    text.lines().map(str::to_owned).collect()
}

#[cfg(not(feature = "tune"))]
#[test]
fn numbers_are_no_options_in_a_normal_build() {
    assert!(!options().iter().any(|line| line.contains("option name rfp_margin")));
}

#[cfg(feature = "tune")]
#[test]
fn numbers_are_options_and_change_the_search() {
    let options = options();
    for parameter in lines(&["tune", "--print", "chess"]) {
        let fields: Vec<&str> = parameter.split(", ").collect();
        let option = format!(
            "option name {} type spin default {} min {} max {}",
            fields[0], fields[2], fields[3], fields[4]
        );
        assert!(options.contains(&option), "{option}");
    }
    let bench = |option: &str| {
        let last = lines(&[option, "bench 6", "quit"]).pop().unwrap();
        last.split(' ').next().unwrap().parse::<u64>().unwrap()
    };
    let usual = bench("setoption name Hash value 16");
    for option in ["rfp_margin value 20", "lmr_factor value 800", "lmp_base value 1", "qs_futility value 40"]
    {
        assert_ne!(bench(&format!("setoption name {option}")), usual, "{option} changes nothing");
    }
    assert_eq!(bench("setoption name rfp_margin value 21000"), usual, "out of range is refused");
}
