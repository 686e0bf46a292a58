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
    // Nobody gets in by a name, which could lead here from elsewhere: only by an address, or as this machine.
    if serve::lets_in(bytes, PORT) == Some(true) {
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
