//! The reader of game records, on raw bytes and on blocks whose checksum is right; games that can be read are
//! played again.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sanqi::train::record::{BLOCK_MAGIC, Header, Reader, Writer};

fn read(bytes: &[u8]) {
    for record in Reader::new(bytes, "chess").take(1000).flatten() {
        let _ = record.replay::<sanqi::chess::Board>(|_, _, _| ());
    }
}

fuzz_target!(|data: &[u8]| {
    read(data);
    let header = Header { game: "chess".to_owned(), ..Header::default() };
    let Ok(mut file) = Writer::new(Vec::new(), &header).and_then(Writer::finish) else { return };
    let start = file.len();
    file.extend_from_slice(&BLOCK_MAGIC);
    file.extend_from_slice(&(data.len() as u32).to_le_bytes());
    // As many games as the first byte says.
    file.extend_from_slice(&u32::from(data.first().copied().unwrap_or(0)).to_le_bytes());
    file.extend_from_slice(&[0; 4]);
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(&file[start..]);
    hasher.update(data);
    file.extend_from_slice(&hasher.finalize().to_le_bytes());
    file.extend_from_slice(data);
    read(&file);
});
