//! `sanqi katago`: the words of KataGo's JSON protocol, and the same for chess and xiangqi.

use crate::support::{engine, run_program, stderr, stdout};
use serde_json::{Value, json};

/// All answers to these lines, in the order in which they came.
fn answers(flags: &[&str], lines: &[String]) -> Vec<Value> {
    let args: Vec<&str> = ["analysis"].iter().chain(flags).copied().collect();
    let output = run_program(engine(), &args, &format!("{}\n", lines.join("\n")));
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(stderr(&output).contains("Started, ready to begin handling requests"));
    stdout(&output).lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

fn small(more: Value) -> String {
    let mut query = json!({"id": "q", "rules": "chinese", "komi": 7, "boardXSize": 5, "boardYSize": 5, "moves": [], "maxVisits": 20});
    query.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    query.to_string()
}

/// Every fault is reported with the field and the words that programs know, and the next query is answered.
#[test]
fn faults_are_reported_as_the_protocol_has_them() {
    let pairs = "Must be an array of pairs of the form: [\"b\" or \"w\", GTP board vertex]";
    let cases = [
        (json!({"boardXSize": 1}), "boardXSize", "Must provide an integer from 2 to 25"),
        (json!({"boardYSize": "9"}), "boardYSize", "Must provide an integer from 2 to 25"),
        (json!({"moves": [["B"]]}), "moves", pairs),
        (json!({"moves": [["X", "C3"]]}), "moves", "Could not parse player: X"),
        (json!({"moves": [["B", "C9"]]}), "moves", "Could not parse board location: C9"),
        (json!({"moves": [["B", "C3"], ["W", "C3"]]}), "moves", "Illegal move 1: C3"),
        (json!({"moves": [["B", "C3"], ["B", "C3"]]}), "moves", "Illegal move 1: C3"),
        (json!({"initialStones": [["B", "pass"]]}), "initialStones", "Could not parse board location: pass"),
        (json!({"initialPlayer": "z"}), "initialPlayer", "Must be \"b\" or \"w\""),
        (json!({"analyzeTurns": [1]}), "analyzeTurns", "Invalid turn number: 1"),
        (
            json!({"analyzeTurns": "x"}),
            "analyzeTurns",
            "Must specify an array of integers indicating turns to analyze",
        ),
        (json!({"priorities": [1]}), "priorities", "Can only specify when also specifying analyzeTurns"),
        (
            json!({"analyzeTurns": [0], "priorities": [1, 2]}),
            "priorities",
            "Must be of matching length to analyzeTurns",
        ),
        (
            json!({"priority": 1, "priorities": [1]}),
            "priority",
            "Cannot specify both priority and priorities",
        ),
        (json!({"rules": "x"}), "rules", "Could not parse rules: x"),
        (json!({"komi": 7.25}), "komi", "Must be a integer or half-integer from -400.0 to 400.0"),
        (json!({"maxVisits": 0}), "maxVisits", "Must be an integer from 1 to 2^50"),
        (json!({"includeOwnership": 1}), "includeOwnership", "Must be a boolean"),
        (
            json!({"reportDuringSearchEvery": 0}),
            "reportDuringSearchEvery",
            "Must be number of seconds from 0.001 to 1000000.0",
        ),
        (json!({"overrideSettings": 1}), "overrideSettings", "Must be an object"),
        (
            json!({"overrideSettings": {"maxVisits": "many"}}),
            "overrideSettings",
            "Could not set settings: maxVisits cannot be \"many\"",
        ),
        (
            json!({"allowMoves": [], "avoidMoves": []}),
            "allowMoves",
            "Cannot specify both allowMoves and avoidMoves",
        ),
        (
            json!({"avoidMoves": [{}]}),
            "avoidMoves",
            "Must be a list of dicts with subfields 'player', 'moves', 'untilDepth'",
        ),
        (json!({"game": "shogi"}), "game", "Must be \"go\", \"chess\", \"chess960\" or \"xiangqi\""),
        (json!({"game": "chess", "moves": ["e2e5"]}), "moves", "Illegal move 0: e2e5"),
        (
            json!({"action": "fly"}),
            "action",
            "'action' field must be 'query_version', 'query_models', 'clear_cache', 'terminate' or 'terminate_all'",
        ),
        (
            json!({"action": "terminate"}),
            "terminateId",
            "Requests for a terminate action must have a string \"terminateId\" field",
        ),
    ];
    let lines: Vec<String> = cases.iter().map(|(more, _, _)| small(more.clone())).collect();
    let replies = answers(&[], &lines);
    assert_eq!(replies.len(), cases.len());
    for (answer, (_, field, why)) in replies.iter().zip(&cases) {
        assert_eq!(*answer, json!({"error": why, "field": field, "id": "q"}));
    }
    let lines = ["{", "[1]", "{\"id\": 1}", "genmove b", "[".repeat(100_000).as_str()].map(str::to_owned);
    let replies = answers(&[], &lines);
    assert_eq!(replies.len(), lines.len());
    assert!(replies[0]["error"].as_str().unwrap().contains("could not parse input line as json request: {"));
    assert!(
        replies[1]["error"]
            .as_str()
            .unwrap()
            .starts_with("Request line was valid json but was not an object")
    );
    assert_eq!(replies[2]["error"], "Request must have a string \"id\" field");
    assert!(
        replies[3]["error"]
            .as_str()
            .unwrap()
            .contains("GTP, UCI and UCCI are spoken by sanqi without arguments")
    );
}

/// Every turn that is looked at has an allowed move.
#[test]
fn an_allowed_move_of_go_must_be_legal() {
    let moves = json!([["B", "A1"], ["W", "B2"], ["B", "C3"], ["W", "D4"]]);
    let allow = |player: &str, points: &[&str]| json!({"player": player, "moves": points, "untilDepth": 1});
    let query = |turns: Value, dicts: Value| {
        small(json!({"moves": moves, "analyzeTurns": turns, "allowMoves": dicts}))
    };
    let legal = answers(&[], &[query(json!([0, 2, 3]), json!([allow("B", &["C3", "E5"])]))]);
    assert!(legal.iter().all(|answer| answer["error"].is_null()), "{legal:?}");
    assert_eq!(answers(&[], &[query(json!([1]), json!([allow("W", &["pass"])]))])[0]["error"], Value::Null);
    let illegal = |turn: u32| format!("None of the allowed moves is legal at turn {turn}");
    let cases = [
        (query(json!([2, 4]), json!([allow("B", &["C3"])])), "moves", illegal(4)),
        (query(json!([3]), json!([allow("W", &["A1"]), allow("B", &["E5"])])), "moves", illegal(3)),
        (query(json!([0]), json!([allow("B", &[])])), "moves", illegal(0)),
        (
            query(json!([0]), json!([allow("B", &["C3"]), allow("B", &["D4"])])),
            "allowMoves",
            "Cannot specify allowMoves more than once for the same player".to_owned(),
        ),
    ];
    let replies = answers(&[], &cases.each_ref().map(|(line, _, _)| line.clone()));
    for (answer, (_, field, why)) in replies.iter().zip(&cases) {
        assert_eq!(*answer, json!({"error": why, "field": field, "id": "q"}));
    }
}

/// The policy is the net's, whatever a query leaves out.
#[test]
fn restrictions_do_not_change_the_policy() {
    let ask = |more: Value| {
        let mut query = json!({"id": "p", "moves": [["B", "C3"]], "maxVisits": 30, "includePolicy": true});
        query.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        answers(&[], &[small(query)])[0]["policy"].clone()
    };
    let free = ask(json!({}));
    assert!(free.as_array().is_some_and(|shares| shares.len() == 26), "{free}");
    let ban = |moves: &[&str]| json!([{"player": "W", "moves": moves, "untilDepth": 1}]);
    assert_eq!(ask(json!({"avoidMoves": ban(&["B2", "D4", "C4"])})), free);
    assert_eq!(ask(json!({"allowMoves": ban(&["A1"])})), free);
}

#[test]
fn turns_are_answered_once_each_and_by_priority() {
    let moves = json!([["B", "C3"], ["W", "B2"]]);
    let first = small(json!({"id": "a", "moves": moves, "maxVisits": 300, "priority": 10}));
    let rest = small(json!({"id": "b", "moves": moves, "analyzeTurns": [0, 1, 2], "priorities": [1, 3, 2],
        "includeOwnership": true, "includeOwnershipStdev": true, "includePolicy": true, "includePVVisits": true}));
    let replies =
        answers(&["-model", "x", "-override-config", "reportAnalysisWinratesAs=BLACK,foo=1"], &[first, rest]);
    let (warnings, replies): (Vec<&Value>, Vec<&Value>) =
        replies.iter().partition(|answer| answer.get("warning").is_some());
    assert_eq!(warnings, Vec::<&Value>::new());
    let order: Vec<_> = replies
        .iter()
        .map(|answer| (answer["id"].as_str().unwrap(), answer["turnNumber"].as_u64().unwrap()))
        .collect();
    assert_eq!(order, [("a", 2), ("b", 1), ("b", 2), ("b", 0)]);
    for answer in &replies[1..] {
        assert_eq!(
            (&answer["isDuringSearch"], answer["ownership"].as_array().unwrap().len()),
            (&json!(false), 25)
        );
        assert_eq!(answer["policy"].as_array().unwrap().len(), 26);
        assert!(answer["rootInfo"]["visits"].as_u64().unwrap() >= 20);
        let best = &answer["moveInfos"][0];
        assert_eq!((&best["order"], &best["move"]), (&json!(0), &best["pv"][0]));
        let numbers = |name: &str| -> Vec<u64> {
            best[name].as_array().unwrap().iter().map(|n| n.as_u64().unwrap()).collect()
        };
        let (after, edges) = (numbers("pvVisits"), numbers("pvEdgeVisits"));
        assert_eq!((after.len(), edges.len()), (best["pv"].as_array().unwrap().len(), after.len()));
        assert_eq!(best["edgeVisits"], edges[0]);
        assert!(after.iter().zip(&edges).all(|(after, edges)| after >= edges && *edges > 0), "{best}");
    }
    // The same stones turned and mirrored share a name.
    let turned = |point| small(json!({"moves": [["B", point]]}));
    let replies = answers(&[], &[turned("B2"), turned("D4"), turned("(3,3)"), turned("C2")]);
    let name = |i: usize, kind| replies[i]["rootInfo"][kind].as_str().unwrap().to_owned();
    assert_eq!(name(0, "symHash"), name(1, "symHash"));
    assert!(name(0, "thisHash") != name(1, "thisHash") && name(0, "symHash") != name(3, "symHash"));
    // (3,3) counts from the upper left: D2.
    assert_eq!((name(2, "symHash"), name(2, "thisHash") != name(1, "thisHash")), (name(0, "symHash"), true));
}

#[test]
fn a_query_can_be_ended() {
    let endless = small(json!({"id": "long", "maxVisits": 1_000_000_000u64}));
    let waits = small(json!({"id": "waits"}));
    let end = |id: &str| json!({"id": "end", "action": "terminate", "terminateId": id}).to_string();
    let replies = answers(&[], &[endless.clone(), waits, end("waits"), end("long"), end("none")]);
    let of = |id: &str| replies.iter().filter(|answer| answer["id"] == id).collect::<Vec<_>>();
    assert_eq!(
        of("waits"),
        [&json!({"id": "waits", "isDuringSearch": false, "noResults": true, "turnNumber": 0})]
    );
    assert_eq!((of("long").len(), of("end").len()), (1, 3));
    assert_eq!(of("long")[0]["isDuringSearch"], false);
    // Without waiting, the end of the input ends everything.
    let replies = answers(&["-quit-without-waiting"], &[endless]);
    assert!(replies.len() <= 1);
}

#[test]
fn forbidden_moves_are_not_played_and_handicap_counts() {
    let avoid = json!({"avoidMoves": [{"player": "B", "moves": ["C3"], "untilDepth": 1}]});
    let replies = answers(&[], &[small(avoid)]);
    assert!(
        replies[0]["moveInfos"].as_array().unwrap().iter().all(|info| info["move"] != "C3"),
        "{replies:?}"
    );
    // Handicap as stones and as moves in a row is the same, and White gets points for it by Chinese rules.
    let full = ["A1", "C1", "E1", "A3", "C3", "E3", "A5", "C5", "E5"];
    let stones: Vec<Value> = full.iter().map(|v| json!(["B", v])).collect();
    let query = |field: &str, bonus: &str, komi: i32| {
        small(
            json!({"moves": [], field: stones, "initialPlayer": "W", "whiteHandicapBonus": bonus, "komi": komi,
            "maxVisits": 400, "overrideSettings": {"reportAnalysisWinratesAs": "BLACK"}}),
        )
    };
    // Nine points for White are nine more of komi, and nine less for Black's lead.
    let replies = answers(
        &[],
        &[
            query("initialStones", "N", 7),
            query("moves", "N", 7),
            query("initialStones", "0", 16),
            query("initialStones", "0", 7),
        ],
    );
    let lead = |i: usize| replies[i]["rootInfo"]["scoreLead"].as_f64().unwrap();
    assert!((lead(0) - lead(1)).abs() < 3.0 && (lead(0) - lead(2)).abs() < 3.0, "{replies:?}");
    assert!((4.0..14.0).contains(&(lead(3) - lead(0))), "{replies:?}");
    // The last stone of a full board takes all of them off.
    let row = json!([["B", "A1"], ["B", "B1"], ["B", "A2"], ["B", "B2"]]);
    let replies = answers(
        &[],
        &[small(json!({"boardXSize": 2, "boardYSize": 2, "moves": row, "analyzeTurns": [3, 4]}))],
    );
    assert!(
        replies.len() == 2 && replies.iter().all(|one| one["rootInfo"]["currentPlayer"] == "W"),
        "{replies:?}"
    );
}

#[test]
fn chess_and_xiangqi_have_the_same_shape() {
    let mate = json!({"id": "m", "game": "chess", "fen": "6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1", "moves": [], "maxVisits": 3000, "lines": 2}).to_string();
    let game = json!({"id": "x", "game": "xiangqi", "moves": ["炮二平五", ["B", "h9g7"]], "analyzeTurns": [0, 2], "maxVisits": 2000,
        "overrideSettings": {"reportAnalysisWinratesAs": "BLACK"}}).to_string();
    let version = json!({"id": "v", "action": "query_version"}).to_string();
    let replies = answers(&[], &[mate, game, version]);
    let of = |id: &str| replies.iter().filter(|answer| answer["id"] == id).collect::<Vec<_>>();
    let mate = of("m")[0];
    assert_eq!(
        (&mate["moveInfos"][0]["move"], &mate["moveInfos"][0]["mate"]),
        (&json!("a1a8"), &json!(1)),
        "{mate}"
    );
    assert_eq!((&mate["rootInfo"]["winrate"], mate["moveInfos"].as_array().unwrap().len()), (&json!(1.0), 2));
    assert_eq!(
        of("x").iter().map(|answer| answer["turnNumber"].as_u64().unwrap()).collect::<Vec<_>>(),
        [0, 2]
    );
    assert!(
        of("x").iter().all(|answer| (0.2..0.8).contains(&answer["rootInfo"]["winrate"].as_f64().unwrap()))
    );
    assert!(of("v")[0]["version"].is_string());
}

/// Moves that are allowed or avoided are read as `moves` are, in the position of every turn that is looked
/// at.
#[test]
fn bans_of_chess_and_xiangqi_are_read_where_they_are_legal() {
    let query = |game: &str, moves: Value, more: Value| {
        let mut query = json!({"id": "q", "game": game, "moves": moves, "maxVisits": 500});
        query.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        query.to_string()
    };
    let ban = |field: &str, player: &str, moves: &[&str]| json!({field: [{"player": player, "moves": moves, "untilDepth": 1}]});
    let firsts = |replies: &[Value]| -> Vec<String> {
        let first = |answer: &Value| answer["moveInfos"][0]["move"].as_str().unwrap_or("").to_owned();
        replies.iter().map(first).collect()
    };
    let replies = answers(
        &[],
        &[
            query("chess", json!(["e4", "e5"]), ban("allowMoves", "W", &["Nc3"])),
            query("chess960", json!([]), ban("allowMoves", "W", &["a2a3"])),
            query("xiangqi", json!([]), ban("allowMoves", "R", &["炮二平五"])),
            query("xiangqi", json!(["炮二平五"]), ban("allowMoves", "B", &["马8进7"])),
        ],
    );
    assert_eq!(firsts(&replies), ["b1c3", "a2a3", "h2e2", "h9g7"], "{replies:?}");
    // A move that is named again and again is looked at once.
    let again = query("chess", json!(["e4", "e5"]), ban("allowMoves", "W", &["Nc3"; 500]));
    assert_eq!(firsts(&answers(&[], &[again])), ["b1c3"]);
    // What is not legal at a turn is not avoided there.
    let mut more = ban("avoidMoves", "W", &["Nf3", "Ne2"]);
    more["analyzeTurns"] = json!([0, 1, 2]);
    more["lines"] = json!(256);
    let replies = answers(&[], &[query("chess", json!(["e4", "e5"]), more)]);
    let moves = |answer: &Value| -> Vec<String> {
        let infos = answer["moveInfos"].as_array().unwrap();
        infos.iter().map(|info| info["move"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(
        replies.iter().map(|answer| moves(answer).len()).collect::<Vec<_>>(),
        [19, 20, 27],
        "{replies:?}"
    );
    let faults = [
        (query("chess", json!([]), ban("allowMoves", "W", &["Nc6"])), "Could not parse move: Nc6"),
        (query("chess", json!([]), ban("avoidMoves", "W", &["e4", "x"])), "Could not parse move: x"),
        (query("chess", json!([]), ban("avoidMoves", "B", &["e5"])), "Could not parse move: e5"),
        (
            query("xiangqi", json!([]), ban("avoidMoves", "R", &["车一进九"])),
            "Could not parse move: 车一进九",
        ),
    ];
    let replies = answers(&[], &faults.each_ref().map(|(line, _)| line.clone()));
    for (answer, (_, why)) in replies.iter().zip(&faults) {
        assert_eq!(*answer, json!({"error": why, "field": "moves", "id": "q"}));
    }
    let mut more = ban("allowMoves", "W", &["e4"]);
    more["analyzeTurns"] = json!([0, 2]);
    let replies = answers(&[], &[query("chess", json!(["e4", "e5"]), more)]);
    assert_eq!(replies[0]["error"], "None of the allowed moves is legal at turn 2");
}

/// A query with fields that do nothing is answered, after a warning of each.
#[test]
fn fields_that_do_nothing_are_reported() {
    let typo = "Unexpected or unused field, do you have a typo?";
    let known = "Known, but without effect in this search";
    let query = small(json!({"fooBar": 1, "fen": "x", "rootPolicyTemperature": 1.5, "overrideSettings":
        {"maxTime": 1, "wideRootNoise": 0.04, "rootFpuReductionMax": 0, "cpuctExploration": 1,
        "numSearchThreads": 2, "numAnalysisThreads": 2}}));
    let replies = answers(&[], std::slice::from_ref(&query));
    let (results, mut warnings): (Vec<Value>, Vec<Value>) =
        replies.into_iter().partition(|answer| answer.get("warning").is_none());
    assert_eq!(results.len(), 1);
    warnings.sort_by_key(Value::to_string);
    let warning = |field: &str, why: &str| json!({"id": "q", "field": field, "warning": why});
    let mut wanted = [
        warning("fen", typo),
        warning("fooBar", typo),
        warning("overrideSettings", "Unknown config params: cpuctExploration"),
        warning(
            "overrideSettings",
            &format!("{known}: numAnalysisThreads,numSearchThreads,rootFpuReductionMax,wideRootNoise"),
        ),
        warning("rootPolicyTemperature", known),
    ];
    wanted.sort_by_key(Value::to_string);
    assert_eq!(warnings, wanted);
    let chess =
        json!({"id": "q", "game": "chess", "moves": [], "maxVisits": 100, "boardXSize": 8}).to_string();
    assert_eq!(answers(&[], &[chess])[0], warning("boardXSize", typo));
    let of_go = ["includeOwnershipStdev", "includeMovesOwnershipStdev"];
    let chess =
        json!({"id": "q", "game": "chess", "moves": [], "maxVisits": 100, of_go[0]: true, of_go[1]: true})
            .to_string();
    assert_eq!(answers(&[], &[chess])[..2], of_go.map(|field| warning(field, "belongs to Go")));
    let silent = small(json!({"fooBar": 1}));
    assert_eq!(answers(&["-override-config", "warnUnusedFields=false"], &[silent]).len(), 1);
}

/// Of the visits and the playouts that are asked for the smaller number counts.
#[test]
fn playouts_limit_a_query_that_names_visits() {
    let visits = |more: Value| {
        let replies = answers(&["-override-config", "maxVisits=4"], &[small(more)]);
        replies[0]["rootInfo"]["visits"].as_u64().unwrap()
    };
    assert!(visits(json!({"overrideSettings": {"maxPlayouts": 3}})) < 20);
    assert!(visits(json!({"overrideSettings": {"maxPlayouts": 300}})) >= 20);
}
