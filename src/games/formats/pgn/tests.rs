use super::*;
use crate::games::notation::Style;

fn read(text: &str, kind: Option<GameKind>, most: Most) -> Vec<Result<Recorded, Broken>> {
    super::read(text, kind, most).collect()
}

const GAMES: &str = "[Event \"one\"]\n[Result \"*\"]\n\n1. e4 {good} e5 2. Nf3 (2. f4 exf4) Nc6 $1 3.Bb5! a6 *\n\n\
    [Event \"two\"]\n[FEN \"4k3/8/8/8/8/8/8/4K2R w K - 0 1\"]\n\n1. 0-0 {a comment with\n[brackets \"in\"] it} Ke7 1-0\n";

fn whole(text: &str) -> Vec<Recorded> {
    read(text, None, Most::ALL).into_iter().map(Result::unwrap).collect()
}

fn comments(game: &Recorded) -> Vec<String> {
    (0..game.opening.moves.len()).map(|ply| game.comment(ply)).collect()
}

/// The tree as movetext, in which every variation stands.
fn movetext(game: &Recorded) -> String {
    let text = write_tree(&game.tree, game.start(), &[], Style::Iccs, game.result()).unwrap();
    text.split_once("\n\n").unwrap().1.trim_end().replace('\n', " ")
}

#[test]
fn games_are_read_with_their_tags() {
    let found = whole(GAMES);
    assert_eq!(found.len(), 2);
    assert_eq!(found[0].opening.moves, ["e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "a7a6"]);
    assert_eq!(found[1].opening.moves, ["e1g1", "e8e7"]);
    assert_eq!((found[0].result(), found[1].result()), ("*", "1-0"));
    assert_eq!(comments(&found[0]), ["good", "", "", "", "", ""]);
    let expected = "1. e4 {good} 1... e5 2. Nf3 (2. f4 exf4) 2... Nc6 $1 3. Bb5 $1 a6 *";
    assert_eq!(movetext(&found[0]), expected);
    let text = "{before} 1. e4 (1. d4 ; a (line\n{b) } (1. c4)) ?! 1... e5 (1... c5) *";
    let expected = "{before} 1. e4 $6 (1. d4 {a (line} {b)}) (1. c4) 1... e5 (1... c5) *";
    assert_eq!(movetext(&whole(text)[0]), expected);
    assert_eq!(found[1].comment(0), "a comment with [brackets \"in\"] it");
    assert_eq!(found[1].opening.fen.as_deref(), Some("4k3/8/8/8/8/8/8/4K2R w K - 0 1"));
    assert_eq!(read(GAMES, None, Most { games: 1, ..Most::ALL }).len(), 1);
    assert_eq!(read(GAMES, None, Most { plies: 3, ..Most::ALL })[0].as_ref().unwrap().opening.moves.len(), 3);
}

#[test]
fn games_need_no_tags_and_draws_may_be_halves() {
    let found = whole("1. e4 e5 ½-½\n\n1. d4 ; a line\n% escaped 1. e4\nd5 2.c4 *\n");
    assert_eq!(found.len(), 2);
    assert_eq!((found[0].result(), found[1].opening.moves.len()), ("1/2-1/2", 3));
    assert_eq!(comments(&found[1]), ["a line", "", ""]);
    // The value of the tag counts where it is a result.
    let found = whole(
        "[Result \"0-1\"]\n\n1. e4 1-0\n\n[Result \"White wins\"]\n\n1. e4 1-0\n\n[Result \"?\"]\n\n1. e4\n",
    );
    assert_eq!(found.iter().map(Recorded::result).collect::<Vec<_>>(), ["0-1", "1-0", "*"]);
    let found = whole("1.炮二平五 马8进7 1-0\n1.5.2024 甲\n1.兵七进一 卒7进1 0-1\n");
    assert_eq!(found.iter().map(|game| game.opening.moves.len()).collect::<Vec<_>>(), [2, 2]);
}

#[test]
fn xiangqi_is_read_as_its_programs_write_it() {
    let text = "[Game \"Chinese Chess\"]\n[Red \"甲\"]\n[Format \"Chinese\"]\n\n1. 炮二平五 马８进７\n{评注}\n\
        2. 馬二進三  …\n2. … 车９平８\n1-0\n象棋巫师 http://www.xqbase.com/\n\n\
        [Game \"Chinese Chess\"]\n[Format \"WXF\"]\n1. C2.5 H8+7 2. H2+3 R9.8 *\n";
    let found = whole(text);
    assert_eq!(found.len(), 2);
    for game in &found {
        assert_eq!(game.opening.moves, ["h2e2", "h9g7", "h0g2", "i9h9"]);
        assert_eq!(game.kind, GameKind::XIANGQI);
    }
    let notations = ["1. 炮二平五 *\n", "1. H2-E2 *\n", "1. h2e2 *\n", "1. C2.5 *\n"].map(|moves| {
        whole(&format!("[Game \"Chinese Chess\"]\n\n{moves}"))[0].tag("Format").map(str::to_owned)
    });
    assert_eq!(notations, ["Chinese", "ICCS", "ICCS", "WXF"].map(|format| Some(format.to_owned())));
    // What is played shows in the first move.
    assert_eq!(whole("1. H2-E2 {book} H9-G7 *\n")[0].kind, GameKind::XIANGQI);
}

#[test]
fn a_broken_game_is_named_and_the_others_are_read() {
    let text = format!("{GAMES}[Event \"three\"]\n\n1. e4\ne4 *\n{GAMES}");
    let found = read(&text, None, Most::ALL);
    assert_eq!(found.len(), 5);
    assert_eq!(found.iter().filter(|game| game.is_ok()).count(), 4);
    let broken = found[2].as_ref().unwrap_err();
    assert_eq!((broken.number, broken.place), (3, Some(Place::Line(14))), "{broken}");
    assert!(read("", None, Most::ALL).is_empty() && read("   \n", None, Most::ALL).is_empty());
    for null in ["--", "Z0", "Z0!?"] {
        let found = read(&format!("1. e4 e5\n2. {null} d5 *"), None, Most::ALL);
        assert_eq!(found[0].as_ref().unwrap_err().to_string(), "line 2: game 1: a null move");
    }
}

#[test]
fn what_is_not_closed_ends_with_its_game_and_is_reported() {
    let games = |open: &str| {
        let next = "[Event \"b\"]\n[White \"B\"]\n\n1. d4 {[x \"\"]\n\n[x] } d5 0-1\n";
        read(&format!("[Event \"a\"]\n\n1. e4 e5\n{open} c5 1-0\r\n\r\n{next}"), None, Most::ALL)
    };
    for (open, what) in
        [("(1... d6 (", "variation"), ("{oops", "comment"), ("({oops", "variation"), ("（", "comment")]
    {
        let found = games(open);
        let text = found[0].as_ref().unwrap_err().to_string();
        assert_eq!(text, format!("line 4: game 1: a {what} that is not closed"), "{open}");
        let next = found[1].as_ref().unwrap();
        assert_eq!((found.len(), next.tag("White"), next.result()), (2, Some("B"), "0-1"));
    }
    // In the last game, moves are lost as well; behind a result, nothing is.
    assert!(read("1. e4 (1. d4 e5 1-0", None, Most::ALL)[0].is_err());
    assert_eq!(whole("[Event \"a\"]\n\n1. e4 1-0\n:(\n\n[Event \"b\"]\n\n1. d4 *\n").len(), 2);
}

#[test]
fn variations_that_cannot_be_read_keep_their_comments() {
    let text = "1. e4 (1. d5 ; a } (line\n{b;} (1. c4) 1... x) (1. d4) 1... e5 *";
    let game = &whole(text)[0];
    assert_eq!(game.remarks.len(), 1);
    assert_eq!(movetext(game), "1. e4 (d5 {a (line} {b;} (1. c4) 1... x) (1. d4) 1... e5 *",);
    assert_eq!(whole(&movetext(game))[0].tree, game.tree);
}

#[test]
fn a_game_of_mere_tags_is_a_game() {
    let text = "[Event \"a\"]\n[White \"A\"]\n[Result \"1-0\"]\n\n\n[Event \"b\"]\n[White \"B\"]\n\n\
        [Site \"c\"]\n\n1. d4 d5 0-1\n";
    let found = whole(text);
    let facts = |game: &Recorded| (game.opening.moves.len(), game.result().to_owned());
    assert_eq!(found.iter().map(facts).collect::<Vec<_>>(), [(0, "1-0".to_owned()), (2, "0-1".to_owned())]);
    assert_eq!((found[1].tag("White"), found[1].tag("Site")), (Some("B"), Some("c")));
}

#[test]
fn comments_behind_a_result_and_glyphs_before_a_move_stay() {
    let found = whole("$1 1. e4 e5 1-0 {on time}\n\n{the next} {one}\n1. d4 d5 *\n\n{the end}\n");
    assert_eq!(found[0].tree.node(found[0].nodes[0]).items[0], Item::Glyph(1));
    let preface = found[1].tree.node(ROOT).comment();
    assert_eq!((&found[0].comment(1)[..], &preface[..]), ("on time", "the next one"));
    assert_eq!(comments(&found[1]), ["", "the end"]);
}

#[test]
fn results_are_known_without_blanks_and_as_others_write_them() {
    let found = whole("1.e4 e5 2.Nf3 Nc6 3.Bb5 a6*\n\n1.d4 d5 {x}*1.c4 *");
    assert_eq!(found.iter().map(|game| game.opening.moves.len()).collect::<Vec<_>>(), [6, 2, 1]);
    // Castling, and a game that both sides lose.
    let moves = "1. e4 e5 2. Nf3 Nf6 3. Bc4 Bc5 0-0";
    let lost = whole(&format!("[Result \"0-0\"]\n\n{moves} {{both}}\n"));
    assert_eq!((lost[0].opening.moves.len(), lost[0].result()), (6, "*"));
    assert_eq!(lost[0].comment(5), "both");
    assert_eq!(whole(moves)[0].opening.moves.len(), 7);
    let results = [("红先胜", "1-0"), ("红先负", "0-1"), ("黑胜", "0-1"), ("和棋", "1/2-1/2")];
    for (text, result) in results {
        assert_eq!(whole(&format!("[Result \"{text}\"]\n\n1. 炮二平五 *\n"))[0].result(), result);
    }
}

#[test]
fn chinese_numbers_and_brackets_are_read() {
    let found = whole("１．炮二平五（中炮） 马８进７\n2、马二进三 车９平８ 1-0\n１、兵七进一 卒7进1 *\n");
    assert_eq!(found[0].opening.moves, ["h2e2", "h9g7", "h0g2", "i9h9"]);
    assert_eq!((&found[0].comment(0)[..], found[1].opening.moves.len()), ("中炮", 2));
}

#[test]
fn what_is_wrong_is_reported_briefly() {
    let long = "x".repeat(100_000);
    for text in [
        format!("1. {long} *"),
        format!("[Game \"xiangqi\"]\n\n1. {long} *"),
        format!("[FEN \"{long}\"]\n\n1. e4 *"),
        format!("[FEN \"4k3/8/8/8/8/8/8/4K3 w - - 0 1 {long}\"]\n\n1. e4 *"),
        format!("[Variant \"{long}\"]\n\n1. e4 *"),
    ] {
        let text = read(&text, None, Most::ALL)[0].as_ref().unwrap_err().to_string();
        assert!(text.len() < 400, "{text}");
    }
}

#[test]
fn names_of_chess_and_chess960_are_known() {
    let kind = |name: &str| whole(&format!("[Variant \"{name}\"]\n\n1. e4 *"))[0].kind;
    for name in ["Classical", "Standard Chess", "Rapid", "standard position", "Armageddon", "Blitz", ""] {
        assert_eq!(kind(name), GameKind::CHESS, "{name}");
    }
    for name in [
        "Fischer Random",
        "Fischer Random Chess",
        "Freestyle Chess",
        "FRC",
        "DFRC",
        "Chess960 (Fischerandom)",
        "Chess 960",
        "fischerandom",
    ] {
        assert_eq!(kind(name), GameKind::CHESS960, "{name}");
    }
    assert!(read("[Variant \"Atomic\"]\n\n1. e4 *", None, Most::ALL)[0].is_err());
}
