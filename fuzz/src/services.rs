//! What programs and pages send to `sanqi analysis` and `sanqi serve`.

use sanqi::cli::{analysis, serve};
use serde_json::Value;

/// Queries of KataGo's JSON protocol, a line each: every line that is more than blanks is answered by objects.
pub fn analysis(input: &[u8]) {
    let text = String::from_utf8_lossy(input);
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty()).take(20) {
        let told = analysis::without_search(line);
        assert!(told.iter().all(Value::is_object), "{line}: {told:?}");
        // A query may name no turn at all; whatever else it is gets a word.
        assert!(!told.is_empty() || line.contains("analyzeTurns"), "{line}");
    }
}

/// The head of a request, or a message of a page, as the first byte says.
pub fn serve(input: &[u8]) {
    const PORT: u16 = 8123;
    let Some((&choice, bytes)) = input.split_first() else { return };
    if choice % 2 == 1 {
        if let Some(Err(why)) = serve::without_engine(&String::from_utf8_lossy(bytes)) {
            assert!(!why.is_empty());
        }
        return;
    }
    // Nobody gets in who does not name this machine.
    let names_machine = ["127.0.0.1", "localhost", "[::1]"].map(str::as_bytes);
    let named = names_machine
        .iter()
        .any(|name| bytes.windows(name.len()).any(|part| part.eq_ignore_ascii_case(name)));
    assert!(named || serve::lets_in(bytes, PORT) != Some(true), "{:?}", String::from_utf8_lossy(bytes));
}
