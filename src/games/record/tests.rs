use super::*;

#[test]
fn endings_have_both_languages() {
    let text = |ending: &Ending| [Language::English, Language::Chinese].map(|lang| ending.text(lang));
    let counted = Ending::won(Side::First, Reason::Counted, "B+3.5 (黑胜1¾子)");
    assert_eq!(text(&counted), ["B+3.5", "B+3.5 (黑胜1¾子)"]);
    let limited = Ending::won(Side::Second, Reason::Adjudication, "W+7.5 (白胜3¾子)");
    assert_eq!(text(&limited), ["W+7.5", "W+7.5 (白胜3¾子)"]);
    let mated = Ending::won(Side::First, Reason::Checkmate, message!("White mates" | "白方将死对方"));
    assert_eq!(text(&mated), ["White mates", "白方将死对方"]);
    let why = message!("Red: no move within 5 s" | "红方：5 秒内没有走棋");
    let late = Ending::won(Side::Second, Reason::Stall, why);
    assert_eq!(text(&late)[1], "红方：5 秒内没有走棋");
    // Without a Chinese detail the name of the reason stands for it.
    assert_eq!(text(&Ending::drawn(Reason::NoProgress, "odd"))[1], "限着作和");
    assert_eq!(text(&Ending::won(Side::First, Reason::Crash, "odd"))[1], "程序崩溃：odd");
}

#[test]
fn endings_are_written_in_both_languages_and_old_ones_are_read() {
    let mated = Ending::won(Side::First, Reason::Checkmate, message!("White mates" | "白方将死对方"));
    let written = serde_json::to_string(&mated).unwrap();
    let old = r#"{"winner":"first","reason":"checkmate","detail":"White mates""#;
    assert_eq!(written, format!("{old},\"detail_zh\":\"白方将死对方\"}}"));
    assert_eq!(serde_json::from_str::<Ending>(&written).unwrap(), mated);
    let read: Ending = serde_json::from_str(&format!("{old}}}")).unwrap();
    assert_eq!(read, Ending { detail: "White mates".into(), ..mated });
    assert_eq!(serde_json::to_string(&read).unwrap(), format!("{old}}}"));
}

#[test]
fn moves_are_numbered_from_what_was_played_before() {
    let numbers = |kind, fen: Option<&str>| {
        let numbering = Numbering::of(kind, fen);
        [0, 1, 2].map(|ply| numbering.text(ply)).join(" ")
    };
    assert_eq!(numbers(GameKind::CHESS, None), "1. 1... 2.");
    let fen = "4k3/8/8/8/8/8/8/4K2R b K - 5 34";
    assert_eq!(numbers(GameKind::CHESS, Some(fen)), "34... 35. 35...");
    assert_eq!(numbers(GameKind::CHESS, Some("4k3/8/8/8/8/8/8/4K2R w K -")), "1. 1... 2.");
    assert_eq!(numbers(GameKind::GO, None), "1. 2. 3.");
}
