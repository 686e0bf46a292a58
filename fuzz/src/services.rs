//! What programs and pages send to `sanqi analysis` and `sanqi serve`.

use sanqi::util::lang::Language;
use sanqi::{katago, serve};
use serde_json::{Value, json};
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// A position that waits: its priority, its query and its turn.
type Waiting = (i64, String, i64);

/// The positions that a query asks for, turn by turn. A turn that is named twice has the priority named last.
fn asked(query: &Value) -> Vec<Waiting> {
    let list = |field: &str| query[field].as_array().map(Vec::as_slice);
    let last = [Value::from(list("moves").map_or(0, <[Value]>::len))];
    let turns = list("analyzeTurns").unwrap_or(&last).iter().filter_map(Value::as_i64);
    let priority = |at: usize| list("priorities").map_or(&query["priority"], |all| &all[at]).as_i64();
    let by_turn: BTreeMap<i64, i64> =
        turns.enumerate().map(|(at, turn)| (turn, priority(at).unwrap_or(0))).collect();
    let id = query["id"].as_str().unwrap_or_default();
    by_turn.into_iter().map(|(turn, priority)| (priority, id.to_owned(), turn)).collect()
}

/// Takes the positions that an action ends out of those that wait.
fn ended(action: &Value, waiting: &mut Vec<Waiting>) -> Vec<Waiting> {
    let of = action["terminateId"].as_str().filter(|_| action["action"] == "terminate");
    let turns = action["turnNumbers"].as_array();
    let is_meant = |(_, id, turn): &mut Waiting| {
        of.is_none_or(|of| of == id)
            && turns.is_none_or(|turns| turns.iter().any(|other| other.as_i64() == Some(*turn)))
    };
    waiting.extract_if(.., is_meant).collect()
}

/// Whether something is told of an action: its own fields, whatever they are.
fn is_action(told: &Value) -> bool {
    told.get("action").is_some()
}

/// The ids and turns of answers without results.
fn unanswered(told: &[Value]) -> Vec<(&str, i64)> {
    let those = told.iter().filter(|value| value["noResults"] == true && !is_action(value));
    those
        .map(|value| (value["id"].as_str().expect("an id"), value["turnNumber"].as_i64().expect("a turn")))
        .collect()
}

/// Queries of KataGo's JSON protocol, a line each, in one session: every line that is more than blanks is
/// answered by objects. Every position that was asked for is answered once, at its end or by what ends it, in
/// the order of its urgency.
pub fn analysis(input: &[u8]) {
    let text = String::from_utf8_lossy(&input[..input.len().min(1 << 15)]);
    let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).take(20).collect();
    let told = katago::without_search(lines.iter().copied());
    assert_eq!(told.at_once.len(), lines.len());
    let by_urgency = |waiting: &mut Vec<Waiting>| waiting.sort_by_key(|(priority, ..)| Reverse(*priority));
    let mut waiting = Vec::new();
    for (line, told) in lines.iter().zip(&told.at_once) {
        assert!(told.iter().all(Value::is_object), "{line}: {told:?}");
        let query: Value = serde_json::from_str(line).unwrap_or_default();
        let is_refused = told.iter().any(|value| value.get("error").is_some() && !is_action(value));
        let mut none = Vec::new();
        if !is_refused && query["action"].is_string() {
            // The action itself comes last, with what is known of it.
            assert_eq!(told.last().map(|value| &value["action"]), Some(&query["action"]), "{line}");
            if query["action"].as_str().is_some_and(|action| action.starts_with("terminate")) {
                none = ended(&query, &mut waiting);
            }
        } else if !is_refused {
            waiting.extend(asked(&query));
            by_urgency(&mut waiting);
        }
        let none: Vec<_> = none.iter().map(|(_, id, turn)| (id.as_str(), *turn)).collect();
        assert_eq!(unanswered(told), none, "{line}: {told:?}");
    }
    let left: Vec<_> = waiting.iter().map(|(_, id, turn)| (id.as_str(), *turn)).collect();
    assert_eq!(unanswered(&told.at_end), left, "{text}");
    // What else is told says why a position could not be set up.
    assert!(
        told.at_end.iter().all(|value| value["noResults"] == true || value["error"].is_string()),
        "{text}"
    );
}

/// A file that the page opens: the answer is JSON, in which every move stands behind the one it answers. Each
/// game can be saved, and one without a fault has the same nodes when it is opened again.
fn opened(file: &[u8], in_chinese: bool) {
    let language = if in_chinese { Language::Chinese } else { Language::English };
    let open = |file: &[u8]| -> Value {
        let text = serve::without_connection(file, language);
        serde_json::from_str(&text).unwrap_or_else(|e| panic!("{e}: {text}"))
    };
    let answer = open(file);
    let broken = answer["broken"].as_array().expect("complaints");
    assert!(broken.iter().all(Value::is_string), "{answer}");
    // Lines are broken anew.
    let flat = |value: &Value| {
        let text = value.to_string().replace("\\n", " ");
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    // A comment of PGN ends at a brace.
    let is_plain = |node: &Value| !node["comment"].as_str().expect("a comment").contains('}');
    for game in answer["games"].as_array().expect("games").iter().take(3) {
        for (number, node) in game["nodes"].as_array().expect("moves").iter().enumerate() {
            let parent = node["parent"].as_u64().map(|parent| parent as usize);
            assert!(parent.is_none_or(|parent| parent < number), "{game}");
        }
        let mut tree = game.clone();
        tree["start"] = json!({"game": game["game"], "fen": game["fen"], "rules": game["rules"]});
        let request = json!({"id": 1, "do": "save", "tree": tree}).to_string();
        let saved = match serve::without_engine(&request) {
            Some(Ok(text)) => text,
            other => panic!("{other:?}: {request}"),
        };
        let again = open(saved.as_str().expect("a record").as_bytes());
        if broken.is_empty()
            && is_plain(game)
            && game["nodes"].as_array().expect("moves").iter().all(is_plain)
        {
            let again = &again["games"][0];
            assert_eq!(flat(&again["nodes"]), flat(&game["nodes"]), "{saved}");
            assert_eq!(again["comment"], game["comment"], "{saved}");
        }
    }
}

/// The head of a request, a message of a page, messages to a table, or a file that the page opens, as the
/// first byte says.
pub fn serve(input: &[u8]) {
    const PORT: u16 = 8123;
    let Some((&choice, bytes)) = input.split_first() else { return };
    match choice % 4 {
        1 => {
            if let Some(Err(why)) = serve::without_engine(&String::from_utf8_lossy(bytes)) {
                assert!(!why.to_string().is_empty());
            }
        }
        0 => at_table(&String::from_utf8_lossy(bytes)),
        3 => opened(bytes, choice & 4 != 0),
        _ => let_in(bytes, PORT),
    }
}

/// Messages to a table, a line each: what is refused has a reason and changes nothing.
fn at_table(text: &str) {
    let mut before = Value::Null;
    for (state, done) in serve::at_table(text.lines().take(40)) {
        if let Err(why) = done {
            assert!(!why.to_string().is_empty());
            // A flag may fall at any time.
            assert!(state == before || state["standing"] == "over", "{why}: {before} {state}");
        }
        before = state;
    }
}

/// Nobody gets in by a name, which could lead here from elsewhere: only by an address, or as this machine.
fn let_in(bytes: &[u8], port: u16) {
    if serve::lets_in(bytes, port) == Some(true) {
        let head = String::from_utf8_lossy(bytes).to_lowercase();
        let host = head.lines().find_map(|line| line.strip_prefix("host:")).unwrap_or_default().trim();
        let address = match host.rsplit_once(':') {
            Some((name, digits)) if !digits.ends_with(']') => name,
            _ => host,
        };
        let address = address.trim_start_matches('[').trim_end_matches(']');
        assert!(
            address == "localhost" || address.parse::<std::net::IpAddr>().is_ok(),
            "{host:?} in {head:?}"
        );
    }
}
