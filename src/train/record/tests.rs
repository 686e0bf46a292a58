use super::*;
use crate::util::rng::Rng;
use proptest::prelude::*;
use tempfile::tempdir;

pub(crate) fn header() -> RecordHeader {
    let game = "chess".to_owned();
    RecordHeader {
        game,
        seed: 7,
        shard: 1,
        shards: 3,
        soft_nodes: 1000,
        hard_nodes: 8000,
        net: 0xABCD,
        random_moves: 60,
        known_openings: 250,
    }
}

fn plies(count: usize, rng: &mut Rng) -> Vec<TrainingPly> {
    (0..count).map(|_| TrainingPly { mv: rng.next_u64() as u16, score: rng.next_u64() as i16 }).collect()
}

fn game(index: u32, rng: &mut Rng) -> TrainingGame {
    let length = rng.below(200);
    TrainingGame {
        index,
        start: if rng.below(4) == 0 { "8/8/8/4k3/8/8/8/4K2R w K - 0 1".to_owned() } else { String::new() },
        opening: (0..rng.below(10)).map(|_| rng.next_u64() as u16).collect(),
        plies: plies(length, rng),
        result: [GameResult::SecondWins, GameResult::Draw, GameResult::FirstWins][rng.below(3)],
        ending: EndReason::ALL[rng.below(5)],
    }
}

fn games(n: u32, seed: u64) -> Vec<TrainingGame> {
    let mut rng = Rng::new(seed);
    (0..n).map(|i| game(i, &mut rng)).collect()
}

pub(super) fn write_all<H: FileHeader>(header: &H, games: &[H::Record]) -> Vec<u8> {
    let mut writer = Writer::new(Vec::new(), header).unwrap();
    games.iter().for_each(|g| writer.push(g).unwrap());
    writer.finish().unwrap()
}

fn written(games: &[TrainingGame]) -> Vec<u8> {
    write_all(&header(), games)
}

pub(super) fn read_all<T: Record>(bytes: &[u8], game: &'static str) -> (Vec<T>, Vec<RecordError>) {
    let (mut good, mut bad) = (Vec::new(), Vec::new());
    for item in Reader::of(bytes, game) {
        match item {
            Ok(game) => good.push(game),
            Err(error) => bad.push(error),
        }
    }
    (good, bad)
}

fn read(bytes: &[u8]) -> (Vec<TrainingGame>, Vec<RecordError>) {
    read_all(bytes, "chess")
}

/// Header and games come back as they were written.
pub(super) fn come_back<H>(header: &H, games: &[H::Record], game: &'static str)
where
    H: FileHeader<Record: PartialEq + std::fmt::Debug>,
{
    let bytes = write_all(header, games);
    let (good, bad) = read_all::<H::Record>(&bytes, game);
    assert!(bad.is_empty(), "{bad:?}");
    assert_eq!(good, games);
    let mut reader = Reader::<_, H::Record>::of(&bytes[..], game);
    reader.next().unwrap().unwrap();
    assert_eq!(reader.header(), Some(header));
}

#[test]
fn games_come_back_as_written() {
    come_back(&header(), &games(100, 1), "chess");
}

#[test]
fn files_concatenate() {
    let (a, b) = (games(20, 1), games(33, 2));
    let (good, bad) = read(&[written(&a), written(&b)].concat());
    assert!(bad.is_empty(), "{bad:?}");
    assert_eq!(good, [a, b].concat());
}

#[test]
fn every_flipped_bit_is_noticed() {
    let games = games(20, 3);
    let bytes = written(&games);
    for bit in 0..8 * bytes.len() {
        let mut broken = bytes.clone();
        broken[bit / 8] ^= 1 << (bit % 8);
        let (good, bad) = read(&broken);
        assert!(!bad.is_empty(), "bit {bit}");
        assert!(good.iter().all(|g| games.contains(g)), "bit {bit} made up a game");
        // The other block stands, unless the header is gone.
        assert!(bit < 8 * 64 || good.len() == 4 || good.len() == 16, "bit {bit}: {} games", good.len());
    }
}

#[test]
fn what_looks_like_blocks_and_is_none_is_given_up() {
    let block = [&b"SQBK"[..], &(4_u32 << 20).to_le_bytes()].concat();
    let bytes = [&header().to_fields().encode()[..], &block.repeat(1 << 20)].concat();
    let mut last = None;
    let mut reader = Reader::new(&bytes[..], "chess");
    let errors = reader.by_ref().inspect(|item| last = item.as_ref().err().map(ToString::to_string)).count();
    assert!(errors < 100 && last.unwrap().contains("beyond use"), "{errors}");
}

#[test]
fn a_torn_tail_costs_its_block_only() {
    let games = games(40, 4);
    let bytes = written(&games);
    for length in (0..bytes.len()).step_by(7) {
        let (good, bad) = read(&bytes[..length]);
        assert_eq!(good[..], games[..good.len()]);
        assert!(good.len() % 16 == 0 && bad.len() <= 1, "{length}: {bad:?}");
    }
}

#[test]
fn wrong_files_are_refused_with_the_reason() {
    let with = |at: usize, value: u8| {
        let mut bytes = header().to_fields().encode();
        bytes[at] = value;
        let crc = crc32fast::hash(&bytes[..60]).to_le_bytes();
        bytes[60..].copy_from_slice(&crc);
        bytes
    };
    let future = with(8, 9);
    let message = |bytes: &[u8], game| Reader::new(bytes, game).next().unwrap().unwrap_err().to_string();
    assert_eq!(message(&future, "chess"), "record version 9 is not known here (newest: 2)");
    assert_eq!(message(&with(56, 2), "chess"), "records with branches are not supported");
    assert_eq!(message(&header().to_fields().encode(), "xiangqi"), "records of chess, not of xiangqi");
    assert_eq!(message(b"PNG and so on", "chess"), "not a file of game records");
    assert!(Reader::new(&b""[..], "chess").next().is_none());
}

#[test]
fn files_of_version_1_are_read() {
    let games = games(20, 8);
    let mut bytes = written(&games);
    bytes[8] = 1;
    let crc = crc32fast::hash(&bytes[..60]).to_le_bytes();
    bytes[60..64].copy_from_slice(&crc);
    let (good, bad) = read(&bytes);
    assert!(bad.is_empty(), "{bad:?}");
    assert_eq!(good, games);
}

#[test]
fn a_killed_run_resumes_to_the_same_bytes() {
    let games = games(50, 5);
    let whole = written(&games);
    let folder = tempdir().unwrap();
    let path = folder.path().join("games.rec");
    for length in (0..whole.len()).step_by(97) {
        std::fs::write(&path, &whole[..length]).unwrap();
        let (mut writer, found) = Writer::resume(&path, &header(), "chess").unwrap();
        assert!(found.games % 16 == 0 && found.cut < whole.len() as u64);
        games[found.games as usize..].iter().for_each(|g| writer.push(g).unwrap());
        writer.finish().unwrap();
        assert!(std::fs::read(&path).unwrap() == whole, "cut at {length}");
    }
    let other = RecordHeader { seed: 8, ..header() };
    assert!(matches!(Writer::resume(&path, &other, "chess"), Err(WriterError::OtherRun(..))));
    let mut holed = whole.clone();
    holed[100] ^= 1;
    std::fs::write(&path, holed).unwrap();
    let refused = Writer::resume(&path, &header(), "chess");
    assert!(matches!(refused, Err(WriterError::DamagedInside(64))));
    // A header that is damaged, a run added to a run, and one whose first block was lost.
    let mut headless = whole.clone();
    headless[20] ^= 1;
    let twice = [&whole[..], &whole[..]].concat();
    let block = 64 + 20 + u32::from_le_bytes(whole[68..72].try_into().unwrap()) as usize;
    let holed = [&whole[..64], &whole[block..]].concat();
    for bytes in [headless, twice, holed] {
        std::fs::write(&path, &bytes).unwrap();
        assert!(Writer::resume(&path, &header(), "chess").is_err());
        assert!(std::fs::read(&path).unwrap() == bytes);
    }
}

#[test]
fn a_file_has_one_writer() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("games.rec");
    let writer = Writer::create(&path, &header()).unwrap();
    assert!(matches!(Writer::resume(&path, &header(), "chess"), Err(WriterError::InUse)));
    writer.finish().unwrap();
    assert!(Writer::resume(&path, &header(), "chess").is_ok());
}

proptest! {
    #[test]
    fn garbage_never_panics(bytes in proptest::collection::vec(any::<u8>(), 0..2000)) {
        read(&bytes);
        read(&[&header().to_fields().encode()[..], &bytes].concat());
    }

    #[test]
    fn spliced_files_never_panic(cut in 0usize..4000, insert in proptest::collection::vec(any::<u8>(), 0..40)) {
        let mut bytes = written(&games(20, 6));
        let cut = cut.min(bytes.len());
        bytes.splice(cut..cut, insert);
        read(&bytes);
    }

    /// Blocks whose checksum is right but whose games are nonsense.
    #[test]
    fn sealed_garbage_never_panics(payload in proptest::collection::vec(any::<u8>(), 0..600), games in any::<u32>()) {
        let mut block = Vec::from(*b"SQBK");
        block.extend((payload.len() as u32).to_le_bytes());
        block.extend(games.to_le_bytes());
        block.extend(0u32.to_le_bytes());
        let mut hasher = crc32fast::Hasher::new();
        hasher.update(&block);
        hasher.update(&payload);
        block.extend(hasher.finalize().to_le_bytes());
        block.extend(payload);
        read(&[&header().to_fields().encode()[..], &block].concat());
    }
}
