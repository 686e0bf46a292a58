//! Lines of GTP: preprocessing, the request, the response.
//!
//! Source: Gunnar Farnebäck, "Specification of the Go Text Protocol, version 2, draft 2", sections 2 and 3.

/// One command as it came in: `[id] command [arguments]`.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Request {
    /// The digits of the id, as they were sent; empty when there was none.
    pub id: String,
    /// First word after the id.
    pub command: String,
    pub args: Vec<String>,
    /// Everything after the command, with its blanks: for file names and JSON.
    pub rest: String,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Line {
    /// Nothing: empty, or a comment. It ends an analysis, like any line.
    Blank,
    /// The comment `# interrupt`, which stops the running command.
    Interrupt,
    Command(Request),
}

/// Reads one line of input. Control characters are dropped, tabs are blanks, `#` begins a comment.
pub fn parse(line: &str) -> Line {
    let text: String = line
        .chars()
        .filter_map(|c| if c == '\t' { Some(' ') } else { (!c.is_control()).then_some(c) })
        .collect();
    let (body, comment) = text.split_once('#').unwrap_or((&text, ""));
    let body = body.trim();
    if body.is_empty() {
        return if comment.trim() == "interrupt" { Line::Interrupt } else { Line::Blank };
    }
    let (first, after) = cut_word(body);
    let (id, body) = if first.bytes().all(|b| b.is_ascii_digit()) { (first, after) } else { ("", body) };
    let (command, rest) = cut_word(body);
    Line::Command(Request {
        id: id.to_owned(),
        command: command.to_owned(),
        args: rest.split_whitespace().map(str::to_owned).collect(),
        rest: rest.to_owned(),
    })
}

/// The first word and what follows it, without blanks around either.
fn cut_word(text: &str) -> (&str, &str) {
    let text = text.trim_start();
    let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    (word, rest.trim())
}

/// A response to the request with this id: `=7 text` or `?7 text`, without the empty line that ends it. Empty
/// lines inside the text would end the response early, so they are left out. A text that begins with a line
/// end begins below the mark.
pub fn response(id: &str, result: Result<&str, &str>) -> String {
    let (mark, text) = match result {
        Ok(text) => ('=', text),
        Err(text) => ('?', text),
    };
    let begins_below = text.starts_with('\n');
    let text = text.lines().map(str::trim_end).filter(|l| !l.is_empty()).collect::<Vec<_>>().join("\n");
    let blank = match (text.is_empty(), begins_below) {
        (true, _) => "",
        (false, true) => "\n",
        (false, false) => " ",
    };
    format!("{mark}{id}{blank}{text}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(line: &str) -> Request {
        match parse(line) {
            Line::Command(request) => request,
            other => panic!("{line:?} is {other:?}"),
        }
    }

    #[test]
    fn the_id_is_optional_and_kept_as_it_was() {
        let r = request("007 play b d4");
        assert_eq!((r.id.as_str(), r.command.as_str(), r.args.len()), ("007", "play", 2));
        assert_eq!(request("name").id, "");
        assert_eq!(request("123456789012345678901234567890 name").id, "123456789012345678901234567890");
    }

    #[test]
    fn a_mere_id_is_a_command_without_a_name() {
        let r = request("12");
        assert_eq!((r.id.as_str(), r.command.as_str()), ("12", ""));
    }

    #[test]
    fn control_characters_vanish_and_tabs_separate() {
        let r = request("\u{7}pl\u{1}ay\tb\td4\r");
        assert_eq!((r.command.as_str(), r.args.join(" ")), ("play", "b d4".to_owned()));
    }

    #[test]
    fn comments_are_cut_and_the_interrupt_comment_is_seen() {
        assert_eq!(request("name # who").args.len(), 0);
        assert_eq!(parse("# a remark"), Line::Blank);
        assert_eq!(parse("   \t "), Line::Blank);
        assert_eq!(parse("# interrupt"), Line::Interrupt);
    }

    #[test]
    fn the_rest_keeps_its_blanks() {
        assert_eq!(request("1 loadsgf my  game.sgf 12").rest, "my  game.sgf 12");
    }

    #[test]
    fn responses_hold_no_empty_line() {
        assert_eq!(response("3", Ok("a\n\nb \n")), "=3 a\nb");
        assert_eq!(response("", Ok("")), "=");
        assert_eq!(response("9", Err("illegal move")), "?9 illegal move");
    }
}
