//! Files of every kind: a bad one is refused, and what a reader accepts can be used.

use super::boards::{CHESS, XIANGQI, mirrored_fen, random_net};
use super::variant;
use sanqi::arbiter::config::MatchConfig;
use sanqi::arbiter::journal::{self, Journal};
use sanqi::arbiter::spsa::Spsa;
use sanqi::chess::syzygy::Tables;
use sanqi::eval::go::strengths::{self, Strengths};
use sanqi::eval::{Chess768, Xiangqi689};
use sanqi::game::book::{BookFormat, BookMaker};
use sanqi::game::{AlphaBetaGame, BookMove, MoveList, Text};
use sanqi::games::follow::{NULL_MOVE, passed};
use sanqi::games::formats::{self, Broken, Most, Recorded, pgn, sgf as go_records};
use sanqi::games::game::{Game, Start};
use sanqi::games::notation::Style;
use sanqi::games::openings::{OpeningSource, Openings};
use sanqi::games::record::GameKind;
use sanqi::games::referee::Rules;
use sanqi::nnue::net::NetInfo;
use sanqi::nnue::{FeatureSet, Net};
use sanqi::protocol::defaults::Defaults;
use sanqi::train::net::checkpoint::Checkpoint;
use sanqi::train::net::model::{Model, Shape};
use sanqi::train::record::go::{GoGame, GoHeader, GoPly, SearchedPosition};
use sanqi::train::record::{
    BLOCK_MAGIC, EndReason, FileHeader, GameResult, Reader, Record, RecordHeader, TrainingGame, TrainingPly,
    Writer,
};
use sanqi::util::aligned::Aligned;
use sanqi::util::rng::Rng;
use sanqi::{chess, convnet, go, xiangqi};
use std::path::Path;
use std::sync::{Arc, LazyLock};

/// Writes `bytes` to a file of this name in a folder of its own, for as long as `look` lasts.
fn with_file<T>(name: &str, bytes: &[u8], look: impl FnOnce(&Path) -> T) -> T {
    let folder = tempfile::tempdir().expect("a folder for temporary files");
    let path = folder.path().join(name);
    std::fs::write(&path, bytes).expect("a temporary file");
    look(&path)
}

/// Replaces the four bytes at `at` by the CRC-32 of all bytes, these taken as zeros.
fn repair(bytes: &mut [u8], at: usize) {
    if let Some(place) = bytes.get_mut(at..at + 4) {
        place.fill(0);
        let crc = crc32fast::hash(bytes);
        bytes[at..at + 4].copy_from_slice(&crc.to_le_bytes());
    }
}

/// Replaces the last four bytes by the CRC-32 of those before.
fn repair_end(bytes: &mut [u8]) {
    if let Some((body, crc)) = bytes.split_last_chunk_mut::<4>() {
        *crc = crc32fast::hash(body).to_le_bytes();
    }
}

/// How a library of CCBridge begins.
const LIBRARY: &[u8] = b"CCBridgeLibrary\0";

/// The games of an input. A library has more bytes in front of its games than an input may have, and nothing
/// reads those behind the first 64: they are put in.
pub fn games_in(input: &[u8], kind: Option<GameKind>) -> Vec<Result<Recorded, Broken>> {
    const HEAD: usize = 66_624;
    let most = Most { null_moves: true, ..Most::ALL };
    match input.split_at_checked(64) {
        Some((head, rest)) if input.starts_with(LIBRARY) && input.len() < HEAD => {
            formats::read_most(&[head, &[0; HEAD - 64], rest].concat(), kind, most)
        }
        _ => formats::read_most(input, kind, most),
    }
}

/// PGN, XQF, CBR, CBL, DhtmlXQ or SGF, of any game: the moves of every game that is read are legal, and what
/// is written of it reads the same.
pub fn games(input: &[u8]) {
    for kind in [None, Some(GameKind::CHESS960), Some(GameKind::XIANGQI), Some(GameKind::GO)] {
        for game in games_in(input, kind).into_iter().take(20).flatten() {
            let read = |text: &str| match games_in(text.as_bytes(), Some(game.kind)).remove(0) {
                Ok(game) => game,
                Err(broken) => panic!("{text} was written, and is refused: {broken}"),
            };
            // Go's moves are facts, legal or not.
            if let Some(go) = &game.go {
                let (columns, rows) = go.board_size();
                let text = go_records::write_tree(&game.tree, &go::Board::new(columns, rows));
                assert!(read(&text).tree == game.tree, "{text}");
                continue;
            }
            let mut at = Game::at(game.start()).unwrap_or_else(|e| panic!("it was read: {e}"));
            for mv in &game.opening.moves {
                let next = if mv == NULL_MOVE { passed(&at).map(|next| at = next) } else { at.play(mv) };
                next.unwrap_or_else(|e| panic!("{mv} was read: {e}"));
            }
            let text = pgn::write_tree(&game.tree, game.start(), &game.tags, Style::Iccs, game.result());
            let text = text.unwrap_or_else(|e| panic!("it was read: {e}"));
            assert_eq!(read(&text).opening.moves, game.opening.moves, "{text}");
        }
    }
}

/// SGF, as GTP's `loadsgf` reads it: what is written of it reads the same.
pub fn sgf(input: &[u8]) {
    let text = String::from_utf8_lossy(input);
    for before in [None, Some(3)] {
        let Ok((position, _)) = go_records::load(&text, before, go::Rules::default()) else { continue };
        let written = go_records::save(&position, &go_records::GameInfo::default());
        let (again, _) = go_records::load(&written, None, go::Rules::default())
            .unwrap_or_else(|e| panic!("{written} was written, and is refused: {e}"));
        assert_eq!(again.diagram(), position.diagram(), "{written}");
        assert_eq!(again.komi(), position.komi(), "{written}");
        assert_eq!(again.moves(), position.moves(), "{written}");
    }
}

/// A file of openings: EPD, PGN or SGF, as its first byte says. Every opening that is taken can be played.
pub fn openings(input: &[u8]) {
    let Some((&choice, bytes)) = input.split_first() else { return };
    let kinds = [GameKind::CHESS, GameKind::CHESS960, GameKind::XIANGQI, GameKind::GO];
    let (kind, format) = (kinds[usize::from(choice % 4)], ["epd", "pgn", "sgf"][usize::from(choice / 4 % 3)]);
    with_file("openings", bytes, |path| {
        let source = OpeningSource { format: Some(format.to_owned()), ..OpeningSource::all(path.to_owned()) };
        let Ok(openings) = Openings::load(&source, kind, &Rules::default(), 1) else { return };
        for pair in 0..openings.count().min(20) {
            let opening = openings.of_pair(pair);
            let start = Start { fen: opening.fen.clone(), ..kind.into() };
            Game::after(start, &opening.moves).expect("the opening was checked");
        }
    });
}

fn legal<G: AlphaBetaGame>(board: &G) -> MoveList<G::Move> {
    board.legal()
}

/// What a book plays is legal; one that holds every move of these positions plays them all.
fn check_book<G: AlphaBetaGame>(boards: &[G], is_whole: bool, moves: impl Fn(&G) -> Vec<BookMove<G::Move>>) {
    for board in boards {
        let (legal, found) = (legal(board), moves(board));
        assert!(found.iter().all(|found| found.weight > 0 && legal.contains(&found.mv)));
        assert!(!is_whole || found.len() == legal.len(), "{} of {}", found.len(), legal.len());
    }
}

/// A book of every legal move in these positions.
fn good_book<F: BookFormat<Game: AlphaBetaGame>>(boards: &[F::Game]) -> Vec<u8> {
    let mut maker = BookMaker::<F>::default();
    for board in boards {
        legal(board).iter().for_each(|&mv| maker.add(board, mv, 2));
    }
    maker.finish(1)
}

/// Entries of a book for chess, in the format of Polyglot, asked about positions with every kind of move.
pub fn polyglot(input: &[u8]) {
    static BOARDS: LazyLock<Vec<chess::Board>> =
        LazyLock::new(|| CHESS.iter().map(|fen| chess::Board::from_fen(fen).expect("a position")).collect());
    static GOOD: LazyLock<Vec<u8>> = LazyLock::new(|| good_book::<chess::polyglot::Book>(&BOARDS));
    let bytes = variant(input, &GOOD);
    with_file("book.bin", &bytes, |path| {
        let Ok(book) = chess::polyglot::Book::open(path) else { return };
        check_book(&BOARDS, bytes == *GOOD, |board| book.moves(board));
    });
}

/// A book for xiangqi, in the format of `BOOK.DAT`, asked about positions and their mirror images.
pub fn book_dat(input: &[u8]) {
    static BOARDS: LazyLock<Vec<xiangqi::Board>> = LazyLock::new(|| {
        let fens = XIANGQI.iter().flat_map(|fen| [(*fen).to_owned(), mirrored_fen(fen)]);
        fens.map(|fen| xiangqi::Board::from_fen(&fen).expect("a position")).collect()
    });
    static GOOD: LazyLock<Vec<u8>> = LazyLock::new(|| good_book::<xiangqi::book::Book>(&BOARDS));
    let bytes = variant(input, &GOOD);
    with_file("BOOK.DAT", &bytes, |path| {
        let Ok(book) = xiangqi::book::Book::open(path) else { return };
        check_book(&BOARDS, bytes == *GOOD, |board| book.moves(board));
    });
}

/// A Syzygy table whose beginning and length are right, asked about a position of its pieces.
pub fn syzygy(input: &[u8]) {
    const KINDS: [(&str, &str, &str); 4] = [
        ("KQvK", "rtbw", "8/8/8/3k4/8/8/4Q3/4K3 w - - 0 1"),
        ("KPvK", "rtbw", "8/8/8/3k4/8/8/4P3/4K3 w - - 0 1"),
        ("KRvKN", "rtbw", "8/8/8/3k4/5n2/8/4R3/4K3 w - - 0 1"),
        ("KQvK", "rtbz", "8/8/8/3k4/8/8/4Q3/4K3 w - - 0 1"),
    ];
    let Some((&choice, body)) = input.split_first() else { return };
    let (name, suffix, fen) = KINDS[usize::from(choice % 4)];
    let magic = if suffix == "rtbw" { [0x71, 0xE8, 0x23, 0x5D] } else { [0xD7, 0x66, 0x0C, 0xA5] };
    let mut bytes = [&magic[..], body].concat();
    bytes.resize(bytes.len().next_multiple_of(64) + 16, 0);
    with_file(&format!("{name}.{suffix}"), &bytes, |path| {
        let tables = Tables::open(path.parent().and_then(Path::to_str).expect("a folder"));
        let board = chess::Board::from_fen(fen).expect("a position");
        let _ = tables.probe_wdl(board.position());
        let _ = tables.probe_dtz(board.position());
    });
}

/// A net, its checksum right: what is accepted evaluates, and is written as it was.
pub fn net(input: &[u8]) {
    const CHECKSUM: usize = 188;
    static GOOD: LazyLock<[Vec<u8>; 4]> = LazyLock::new(|| {
        [
            random_net::<Chess768>(false).to_bytes(),
            random_net::<Chess768>(true).to_bytes(),
            random_net::<Xiangqi689>(false).to_bytes(),
            random_net::<Xiangqi689>(true).to_bytes(),
        ]
    });
    fn check<F: FeatureSet>(bytes: &[u8]) {
        if let Ok(net) = Net::<F>::from_bytes(bytes) {
            assert_eq!(net.to_bytes(), bytes);
            let rows: Vec<u32> = (0..32).collect();
            net.evaluate_rows(&rows, &rows, 32);
        }
    }
    let Some((&choice, input)) = input.split_first() else { return };
    let mut bytes = variant(input, &GOOD[usize::from(choice % 4)]);
    for _ in 0..2 {
        check::<Chess768>(&bytes);
        check::<Xiangqi689>(&bytes);
        repair(&mut bytes, CHECKSUM);
    }
}

/// A net of Go, its checksum right: what is accepted evaluates, and is written as it was.
pub fn go_net(input: &[u8]) {
    const CHECKSUM: usize = 124;
    static GOOD: LazyLock<Vec<u8>> = LazyLock::new(|| convnet::ConvNet::random(1, 1).to_bytes());
    let mut bytes = variant(input, &GOOD);
    for _ in 0..2 {
        if let Ok(net) = convnet::ConvNet::from_bytes(&bytes) {
            assert_eq!(net.to_bytes(), bytes);
            let planes: Vec<u8> = (0..5 * 5 * convnet::PLANES).map(|at| (at % 3 == 0).into()).collect();
            let globals = [256; convnet::GLOBALS];
            convnet::ConvNetEvaluator::new(Arc::new(net)).evaluate(5, 5, &planes, &globals);
        }
        repair(&mut bytes, CHECKSUM);
    }
}

/// An unfinished training, its checksum right.
pub fn checkpoint(input: &[u8]) {
    static GOOD: LazyLock<Vec<u8>> = LazyLock::new(|| {
        let info = NetInfo::new(32, 1);
        let model = Model::random(Shape::of::<Xiangqi689>(&info), &mut Rng::new(1));
        let (m, v) = (Aligned::zeroed(model.weights.len()), Aligned::zeroed(model.weights.len()));
        Checkpoint { info, run: 1, step: 2, curve: Vec::new(), model, m, v }.to_bytes::<Xiangqi689>()
    });
    let mut bytes = variant(input, &GOOD);
    for _ in 0..2 {
        if let Ok(read) = Checkpoint::from_bytes::<Xiangqi689>(&bytes) {
            let again = read.to_bytes::<Xiangqi689>();
            assert!(Checkpoint::from_bytes::<Xiangqi689>(&again).is_ok());
        }
        repair_end(&mut bytes);
    }
}

/// Strengths of moves of Go, their checksum right.
pub fn strengths(input: &[u8]) {
    static GOOD: LazyLock<Vec<u8>> = LazyLock::new(|| {
        let patterns: Vec<(u32, f32)> = (1..200).map(|key| (key * 7919, 1.5)).collect();
        strengths::to_bytes(&[1.0; _], &patterns)
    });
    let mut bytes = variant(input, &GOOD);
    for _ in 0..2 {
        if let Ok(read) = Strengths::from_bytes(&bytes) {
            for key in (0..100).map(|n| n * 7919) {
                assert!(read.pattern(key).is_finite() && read.pattern(key) > 0.0);
            }
        }
        repair_end(&mut bytes);
    }
}

/// A block of the games of `header`'s kind, whose checksum is right, behind a good header.
fn in_a_block<H: FileHeader>(payload: &[u8], header: &H, games: u8) -> Vec<u8> {
    let mut file = Writer::new(Vec::new(), header).and_then(Writer::finish).expect("a header can be written");
    let start = file.len();
    file.extend_from_slice(&BLOCK_MAGIC);
    file.extend_from_slice(&u32::try_from(payload.len()).expect("a short input").to_le_bytes());
    file.extend_from_slice(&u32::from(games).to_le_bytes());
    file.extend_from_slice(&[0; 4]);
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(&file[start..]);
    hasher.update(payload);
    file.extend_from_slice(&hasher.finalize().to_le_bytes());
    file.extend_from_slice(payload);
    file
}

/// Games of self-play, of chess and xiangqi: what is read can be played again as far as its moves are legal,
/// and is encoded as it was.
pub fn record(input: &[u8]) {
    fn look<G: AlphaBetaGame + Text>(bytes: &[u8]) {
        for game in Reader::new(bytes, G::NAME).take(1000).flatten() {
            let _ = game.replay::<G>(|_, _, _| ());
            let (mut encoded, index) = (Vec::new(), Record::index(&game));
            game.encode(&mut encoded);
            let again = TrainingGame::decode(&mut &encoded[..], index);
            assert_eq!(again.as_ref(), Some(&game));
        }
    }
    /// Six random moves, and six that were searched.
    fn good<G: AlphaBetaGame>() -> Vec<u8> {
        let (mut board, mut moves) = (G::start(), Vec::new());
        for i in 0..12 {
            let legal = board.legal();
            let mv = legal[7 * i % legal.len()];
            moves.push(G::pack(mv));
            board.do_move(mv, &mut ());
        }
        let plies = moves.split_off(6).into_iter().map(|mv| TrainingPly { mv, score: 25 }).collect();
        let result = GameResult::FirstWins;
        let game = TrainingGame {
            index: 0,
            start: String::new(),
            opening: moves,
            plies,
            result,
            ending: EndReason::ALL[0],
        };
        let mut bytes = Vec::new();
        game.encode(&mut bytes);
        bytes
    }
    let Some((&count, rest)) = input.split_first() else { return };
    look::<chess::Board>(input);
    let (chess, xiangqi) = (good::<chess::Board>(), good::<xiangqi::Board>());
    let header = |game: &str| RecordHeader { game: game.to_owned(), ..RecordHeader::default() };
    look::<chess::Board>(&in_a_block(&variant(rest, &chess), &header("chess"), count % 8));
    look::<xiangqi::Board>(&in_a_block(&variant(rest, &xiangqi), &header("xiangqi"), count % 8));
}

/// Games of self-play, of Go.
pub fn go_record(input: &[u8]) {
    let look = |bytes: &[u8]| {
        for game in Reader::<_, GoGame>::of(bytes, "go").take(1000).flatten() {
            let _ = game.replay(|_, _, _| ());
            let (mut encoded, index) = (Vec::new(), Record::index(&game));
            game.encode(&mut encoded);
            assert_eq!(GoGame::decode(&mut &encoded[..], index).as_ref(), Some(&game));
        }
    };
    let good = || {
        let row = SearchedPosition { value: 130, score: -2, visits: vec![(12, 200), (25, 55)] };
        let plies = (0..6).map(|i| GoPly { mv: 4 * i, row: (i > 1).then(|| row.clone()) }).collect();
        let ending = sanqi::train::record::go::GoEnding::ALL[0];
        let game = GoGame {
            index: 0,
            size: 5,
            komi: 15,
            opening: 2,
            plies,
            ending,
            margin: 7,
            agreement: 250,
            owners: (0..25).map(|i| i % 3).collect(),
        };
        let mut bytes = Vec::new();
        game.encode(&mut bytes);
        bytes
    };
    let Some((&count, rest)) = input.split_first() else { return };
    look(input);
    look(&in_a_block(&variant(rest, &good()), &GoHeader::default(), count % 8));
}

/// A journal of a match: going on with it takes nothing away but half a line at its end.
pub fn journal(input: &[u8]) {
    with_file("match.jsonl", input, |path| {
        let Ok((journal, kept)) = Journal::resume(path) else { return };
        drop(journal);
        let text = std::fs::read(path).expect("the journal is there");
        let whole = input.iter().rposition(|&b| b == b'\n').map_or(0, |at| at + 1);
        assert_eq!(text, &input[..whole]);
        let (_, again) = Journal::resume(path).unwrap_or_else(|e| panic!("refused the second time: {e}"));
        assert_eq!(again.games.len(), kept.games.len());
    });
}

/// A trace of a match.
pub fn trace(input: &[u8]) {
    with_file("trace.jsonl", input, |path| {
        if let Ok(lines) = journal::traffic_of(path, 1) {
            assert!(lines.iter().all(|line| line.game == 1));
        }
    });
}

/// Numbers to be tuned, and the state of their tuning: what is read is written so that it reads the same.
pub fn tuning(input: &[u8]) {
    let text = String::from_utf8_lossy(input);
    let Ok(spsa) = Spsa::parse(&text, 100, 1) else { return };
    let written = spsa.state();
    let again = Spsa::parse(&written, 100, 1).unwrap_or_else(|e| panic!("{written} is refused: {e}"));
    assert_eq!((again.done(), again.state()), (spsa.done(), written));
}

/// A match as a file describes it.
pub fn match_config(input: &[u8]) {
    with_file("match.toml", input, |path| {
        if let Ok(mut config) = MatchConfig::load(path) {
            let _ = config.complete();
        }
    });
}

/// A file of options: whatever holds of it is printed so that it is read again as the same.
pub fn defaults(input: &[u8]) {
    let read = Defaults::parse(&String::from_utf8_lossy(input), "file");
    let again = Defaults::parse(&read.render(), "file");
    assert_eq!(again.problems(), [""; 0]);
    assert_eq!(again.render(), read.render());
}
