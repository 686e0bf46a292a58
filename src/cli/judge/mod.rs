//! `sanqi judge`: the arbiter's desk. What the rules of the three games decide about a record, by which
//! clause, and why.
//!
//! | Question | File |
//! |---|---|
//! | Who must deviate from a repetition of xiangqi? | this one |
//! | Everything else about chess and xiangqi | `app/desk` |
//! | Everything about Go | `app/desk/go` |

mod page;

use crate::app::args::encoding;
use crate::app::console::misuse;
use crate::app::console::{Outcome, at, check_output, read, say};
use crate::app::desk::{self, Case, DeskFinding, DeskQuestion, Inquiry, PrintedFinding};
use crate::app::language::{self, LanguageArg, usual_style};
use crate::games::formats::{self, Recorded};
use crate::games::game::{Game, Position, Start};
use crate::games::notation::Style;
use crate::games::record::{GameKind, Numbering, Opening};
use crate::message;
use crate::util::lang::Language;
use crate::util::message::Message;
use crate::util::system::remark;
use crate::util::{files, words};
use crate::xiangqi::repetition::{Judgement, Ruling, judge_all, judge_every};
use crate::xiangqi::{Board, Move, RuleSet};
use encoding_rs::Encoding;
use page::Page;
use serde::Serialize;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Decide by the rules: claims, flags, dead positions, repetitions, forbidden points, counts, illegal moves
///
/// A verdict has its clause, which `sanqi rules CLAUSE` prints, and its reason. Without a question, games of
/// xiangqi are searched for repetitions: who must deviate, and why. Games of chess and Go are examined for
/// illegal moves, their end, claims of draws, and a result that contradicts the board.
///
/// What cannot be read of records or tables is named with its file, line and reason, and the rest is judged;
/// the exit code is 1 then.
#[derive(clap::Args)]
pub struct Args {
    /// Judge the games of records: PGN, SGF, XQF, CBR, CBL or DhtmlXQ
    #[arg(value_name = "FILE", conflicts_with_all = ["fen", "moves", "batch"])]
    files: Vec<PathBuf>,
    /// Where the game starts; the starting position if left out
    #[arg(long)]
    fen: Option<String>,
    /// The moves, in the notations of the game
    #[arg(long, num_args = 1.., value_name = "MOVE", required_unless_present_any = ["files", "batch", "games", "gallery", "ask", "game", "point"])]
    moves: Vec<String>,
    #[command(flatten)]
    inquiry: Inquiry,
    /// What is played, where neither the files nor the position show it
    #[arg(long, value_name = "GAME", conflicts_with_all = ["batch", "gallery"])]
    game: Option<GameKind>,
    /// The rules of repetition in xiangqi: chinese, asian, computer, none, or all
    #[arg(long, default_value = "chinese", value_parser = ["chinese", "asian", "computer", "none", "all"])]
    rules: String,
    /// The encoding of the files, such as gb18030, big5 or windows-1251 [default: found out]
    #[arg(long, value_name = "NAME", value_parser = encoding)]
    encoding: Option<&'static Encoding>,
    /// How moves are written: iccs if left out, or chinese in Chinese; JSON has them in ICCS as well
    #[arg(long, value_enum)]
    notation: Option<Style>,
    /// Print JSON: one object for each verdict, or with --rules all an array
    #[arg(long)]
    json: bool,
    /// The same as FILE
    #[arg(long, num_args = 1.., value_name = "FILE", conflicts_with_all = ["fen", "moves", "batch"])]
    games: Vec<PathBuf>,
    /// Judge every line of a table with the columns id, fen and moves
    #[arg(long, value_name = "FILE.tsv", conflicts_with_all = ["fen", "moves", "rules", "json"])]
    batch: Option<PathBuf>,
    /// Write a page with a diagram of every verdict; of a repetition, of every move, what it is, and by which
    /// clause
    #[arg(long, value_name = "FILE.html")]
    html: Option<PathBuf>,
    /// Write a page of typical repetitions, each judged by the Chinese, the Asian and the servers' rules
    #[arg(long, value_name = "FILE.html", conflicts_with_all = ["files", "fen", "moves", "games", "batch", "rules", "json", "html"])]
    gallery: Option<PathBuf>,
    #[command(flatten)]
    language: LanguageArg,
}

impl Args {
    fn style(&self) -> Style {
        let usual = if self.json { Style::default() } else { usual_style(self.language.language()) };
        self.notation.unwrap_or(usual)
    }

    /// Whether a game is brought to the desk, rather than searched for repetitions.
    fn is_for_the_desk(&self, kind: GameKind) -> bool {
        match self.inquiry.question() {
            None => kind != GameKind::XIANGQI,
            Some(question) => kind != GameKind::XIANGQI || question != DeskQuestion::Repetition,
        }
    }

    /// A start with the rules of repetition that were asked for.
    fn with_rules(&self, mut start: Start) -> Start {
        if self.rules != "all" {
            start.rules.repetition.rules.clone_from(&self.rules);
        }
        start
    }

    /// What a line of play belongs to.
    fn kind_of_line(&self) -> GameKind {
        let fen_rows =
            self.fen.as_deref().map(|fen| fen.split(' ').next().unwrap_or("").matches('/').count());
        self.game.unwrap_or(match fen_rows {
            Some(7) => GameKind::CHESS,
            None if self.inquiry.point.is_some() || !self.inquiry.dead.is_empty() => GameKind::GO,
            _ => GameKind::XIANGQI,
        })
    }

    /// Whether the rules with this name were asked for.
    fn wants(&self, judgement: &Judgement) -> bool {
        self.rules == "all" || judgement.rules.name() == self.rules
    }
}

/// The repetitions of the gallery: a table like that of `--batch`.
const TYPICAL: &str = include_str!("../../xiangqi/repetition/cases.tsv");

pub fn run(args: &Args) -> Outcome {
    let language = args.language.language();
    if let Err(why) = args.inquiry.check() {
        misuse::<Args>("judge", why.text(language));
    }
    if let Some(path) = &args.html {
        check_output("--html", path, args.files.iter().chain(&args.games).chain(&args.batch))?;
    }
    let path = args.html.as_deref().or(args.gallery.as_deref());
    let mut page = path.map(|path| Page::new(path, language, args.notation)).transpose()?;
    let judged = match (&args.batch, page.as_mut()) {
        (_, Some(page)) if args.gallery.is_some() => gallery(args, page),
        (Some(file), page) => batch(args, file, page),
        (None, page) if args.files.is_empty() && args.games.is_empty() => single(args, page),
        (None, page) => games(args, page),
    };
    // What was read has its page, whatever could not be read.
    let page = page.filter(|page| judged.is_ok() || !page.is_empty());
    let saved = page.as_ref().map_or(Ok(()), Page::save);
    language::in_language(language, judged.and(saved))
}

struct JudgedGame {
    game: Game,
    /// For each repetition the judgement of each rule set that was asked for.
    found: Vec<Vec<Judgement>>,
}

impl JudgedGame {
    fn read(fen: Option<&str>, texts: &[&str]) -> Result<Self, Message> {
        let start = Start { fen: fen.map(str::to_owned), ..GameKind::XIANGQI.into() };
        let fen = fen.unwrap_or_default();
        let mut game = Game::at(start)
            .map_err(|why| message!("fen \"{fen}\": {why}" | "FEN“{fen}”：{why}", fen, why))?;
        game.play_texts(texts)
            .map_err(|(at, why)| message!("move {ply}: {why}" | "第 {ply} 着：{why}", ply = at + 1, why))?;
        Ok(Self { game, found: Vec::new() })
    }

    /// Goes back to the move that is asked about.
    fn cut(&mut self, args: &Args) -> Outcome {
        let numbering = Numbering::of(GameKind::XIANGQI, self.game.start().fen.as_deref());
        let plies = args.inquiry.plies(GameKind::XIANGQI, numbering, self.game.moves().len())?;
        self.game.truncate(plies);
        Ok(())
    }

    fn after(&self, plies: usize) -> Game {
        let mut game = self.game.clone();
        game.truncate(plies);
        game
    }

    /// The start and the moves, as the judge wants them.
    fn line(&self) -> (Board, Vec<Move>) {
        match self.game.position() {
            Position::Xiangqi(board) => board.cycle(self.game.moves().len()),
            Position::Chess(_) | Position::Go(_) => unreachable!("the game is xiangqi"),
        }
    }

    /// Judges the first repetition, or reports that there is none.
    fn judge_first(mut self, args: &Args, wanted: impl Fn(&Judgement) -> bool) -> Result<Self, Message> {
        let (start, moves) = self.line();
        let all = judge_all(&start, &moves)?;
        self.take(args, vec![all], wanted);
        Ok(self)
    }

    /// Judges every repetition, or reports that there is none.
    fn judge_every(self, args: &Args) -> Result<Self, Message> {
        let (start, moves) = self.line();
        let all = judge_every(&start, &moves)?;
        if all.is_empty() {
            return self.judge_first(args, |judgement| args.wants(judgement));
        }
        let mut judged = self;
        judged.take(args, all, |judgement| args.wants(judgement));
        Ok(judged)
    }

    /// Keeps the judgements that are wanted, their moves in the notation asked for.
    fn take(&mut self, args: &Args, mut all: Vec<Vec<Judgement>>, wanted: impl Fn(&Judgement) -> bool) {
        for judgements in &mut all {
            judgements.retain(&wanted);
        }
        if !args.style().is_usual() {
            let texts = self.after(0).write_line(self.game.moves(), args.style());
            for report in all.iter_mut().flatten().flat_map(|judgement| &mut judgement.moves) {
                report.text = texts.get(report.ply - 1).cloned();
            }
        }
        self.found = all;
    }

    fn is_judged(&self) -> bool {
        self.found.iter().flatten().any(|judgement| judgement.ruling != Ruling::None)
    }
}

fn single(args: &Args, page: Option<&mut Page>) -> Outcome {
    let texts: Vec<&str> = args.moves.iter().flat_map(|words| words.split_whitespace()).collect();
    let kind = args.kind_of_line();
    if args.is_for_the_desk(kind) {
        return desk_line(args, kind, &texts, page);
    }
    let mut game = JudgedGame::read(args.fen.as_deref(), &texts)?;
    game.cut(args)?;
    let game = game.judge_first(args, |judgement| args.wants(judgement))?;
    if let Some(page) = page {
        page.add("", "", &game);
    }
    game.found.iter().try_for_each(|judgements| show(args, judgements, None))
}

#[derive(Serialize)]
struct Printed<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    game: Option<usize>,
    #[serde(flatten)]
    judgement: &'a Judgement,
}

/// Prints the judgement of a repetition by each of the rules; as JSON with its file and game.
fn show(args: &Args, judgements: &[Judgement], place: Option<(&Path, usize)>) -> Outcome {
    if args.json {
        let (file, game) = (place.map(|(file, _)| file.to_string_lossy()), place.map(|(_, game)| game));
        let in_language =
            judgements.iter().map(|judgement| Printed { file: file.as_deref(), game, judgement });
        let text = match &in_language.collect::<Vec<_>>()[..] {
            [one] => serde_json::to_string(one),
            all => serde_json::to_string(all),
        };
        say(text.map_err(|e| Message::from(e.to_string()))?);
        return Ok(());
    }
    for judgement in judgements {
        say(judgement.text(args.language.language()).trim_end());
    }
    Ok(())
}

/// Judges the games of records. A game in which nothing is repeated takes one line.
fn games(args: &Args, mut page: Option<&mut Page>) -> Outcome {
    let language = args.language.language();
    let (mut broken, mut unanswered) = (0, 0);
    let mut complain = |file: &Path, why: &Message| {
        broken += 1;
        remark!("sanqi: {}: {}", file.display(), why.text(language));
    };
    for file in args.files.iter().chain(&args.games) {
        let bytes = match files::read_named(file) {
            Ok(bytes) => bytes,
            Err(why) => {
                complain(file, &why.into());
                continue;
            }
        };
        let bytes = formats::recoded(bytes, args.encoding);
        let games = formats::read(&bytes, args.game);
        if games.is_empty() {
            complain(file, &message!("no game is in it" | "其中没有对局"));
        }
        for game in games {
            // The fault at which a game at the desk breaks off is a finding.
            let fault = game
                .as_ref()
                .err()
                .filter(|broken| broken.before.as_ref().is_some_and(|game| args.is_for_the_desk(game.kind)));
            // That of the first move has no part before it.
            let unplayed = fault.and_then(|broken| broken.before.clone());
            let unplayed = unplayed.filter(|game| game.opening.moves.is_empty()).map(|game| Ok(*game));
            let fault = fault.map(|broken| (broken.why.clone(), broken.is_illegal));
            for game in unplayed.into_iter().chain(formats::with_parts(vec![game])) {
                let shown = match game {
                    Ok(game) if args.is_for_the_desk(game.kind) => {
                        desk_game(args, file, &game, fault.clone(), page.as_deref_mut())
                            .inspect_err(|_| unanswered += 1)
                            .map_err(|why| formats::in_game(game.opening.number, &why))
                    }
                    Ok(game) => recorded(args, &game).and_then(|(number, game)| {
                        let name = words::game_of_file(language, file.display(), number);
                        if let Some(page) = page.as_deref_mut() {
                            page.add(&name, "", &game);
                        }
                        show_game(args, name, &game, (file, number))
                    }),
                    Err(broken) => Err(broken.message()),
                };
                if let Err(why) = shown {
                    complain(file, &why);
                }
            }
        }
    }
    match broken {
        0 => Ok(()),
        _ if broken == unanswered => Err(message!(
            "games about which the question has no answer: {broken}" | "无法回答所提问题的对局：{broken}",
            broken
        )),
        _ => Err(message!(
            "games or files that could not be read: {broken}" | "无法读取的对局或文件：{broken}",
            broken
        )),
    }
}

fn recorded(args: &Args, record: &Recorded) -> Result<(usize, JudgedGame), Message> {
    let Opening { fen, moves, number, .. } = &record.opening;
    let texts: Vec<&str> = moves.iter().map(String::as_str).collect();
    let game = JudgedGame::read(fen.as_deref(), &texts).and_then(|mut game| {
        game.cut(args)?;
        game.judge_every(args)
    });
    game.map(|game| (*number, game)).map_err(|why| formats::in_game(*number, &why))
}

fn show_game(args: &Args, name: String, game: &JudgedGame, place: (&Path, usize)) -> Outcome {
    if !args.json {
        let language = args.language.language();
        say(if game.is_judged() { name + ":" } else { words::nothing_repeated_thrice(language, name) });
    }
    if game.is_judged() || args.json {
        game.found.iter().try_for_each(|judgements| show(args, judgements, Some(place)))?;
    }
    Ok(())
}

fn desk_game(
    args: &Args,
    file: &Path,
    record: &Recorded,
    fault: Option<(Message, bool)>,
    page: Option<&mut Page>,
) -> Outcome {
    let number = record.opening.number;
    let case = Case::of_record(record, args.with_rules(record.start()), args.style(), fault)?;
    let found = desk::answer(&case, &args.inquiry)?;
    let name = words::game_of_file(args.language.language(), file.display(), number);
    show_findings(args, &case, &found, Some((file, number)))?;
    if let Some(page) = page {
        page.add_findings(&name, &case, &found);
    }
    Ok(())
}

fn desk_line(args: &Args, kind: GameKind, texts: &[&str], page: Option<&mut Page>) -> Outcome {
    if kind == GameKind::GO && args.fen.is_some() {
        return Err(message!(
            "--fen is not for Go: stones are set up by a record in SGF"
                | "--fen 不用于围棋：摆子请用 SGF 棋谱"
        ));
    }
    let start = args.with_rules(Start { fen: args.fen.clone(), ..kind.into() });
    let fen = args.fen.as_deref().unwrap_or_default();
    let case = Case::of_moves(start, texts, args.style()).map_err(|why| match fen {
        "" => why,
        _ => message!("fen \"{fen}\": {why}" | "FEN“{fen}”：{why}", fen, why),
    })?;
    let found = desk::answer(&case, &args.inquiry)?;
    show_findings(args, &case, &found, None)?;
    if let Some(page) = page {
        page.add_findings("", &case, &found);
    }
    let ply = case.len().saturating_add(1);
    case.fault.map_or(Ok(()), |(why, _)| Err(message!("move {ply}: {why}" | "第 {ply} 着：{why}", ply, why)))
}

/// Prints what was found, with the commands that print the clauses; as JSON a line for each.
fn show_findings(args: &Args, case: &Case, found: &[DeskFinding], place: Option<(&Path, usize)>) -> Outcome {
    let language = args.language.language();
    let moves: Vec<Option<String>> = found.iter().map(|finding| case.mv(finding.spot.plies())).collect();
    if args.json {
        let file = place.map(|(file, game)| (file.to_string_lossy(), game));
        for (finding, mv) in found.iter().zip(&moves) {
            let place = file.as_ref().map(|(file, game)| (&**file, *game));
            let fen = case.after(finding.spot.plies()).fen();
            let printed = PrintedFinding::new(place, case.kind(), finding, mv.as_deref(), fen);
            say(serde_json::to_string(&printed).map_err(|e| Message::from(e.to_string()))?);
        }
        return Ok(());
    }
    if let Some((file, number)) = place {
        say(words::game_of_file(language, file.display(), number) + ":");
    }
    for (finding, mv) in found.iter().zip(&moves) {
        say(finding.text(mv.as_deref(), language));
    }
    let clauses: BTreeSet<&str> = found.iter().filter_map(|finding| finding.clause).collect();
    for clause in clauses {
        say(message!("the clause: sanqi rules {clause}" | "条款：sanqi rules {clause}", clause)
            .text(language));
    }
    Ok(())
}

struct Row<'t> {
    /// The line of the file, from 1.
    line: usize,
    id: &'t str,
    fen: &'t str,
    moves: &'t str,
    /// What it shows, if the table has that column.
    what: &'t str,
}

/// The rows of a table whose columns have names: id, fen, moves; what or category, what_zh for readers of
/// Chinese.
fn rows<'t>(text: &'t str, language: Language) -> Result<Vec<Row<'t>>, Message> {
    let mut lines = text.lines();
    let header: Vec<&str> = lines.next().unwrap_or("").split('\t').collect();
    let place = |name: &str| header.iter().position(|column| *column == name);
    let column =
        |name: &str| place(name).ok_or_else(|| message!("no column {name:?}" | "没有“{name}”这一列", name));
    let (id, fen, moves) = (column("id")?, column("fen")?, column("moves")?);
    let what = language.pick(None, place("what_zh")).or_else(|| place("what")).or_else(|| place("category"));
    let row = |(number, line): (usize, &'t str)| {
        let cells: Vec<&str> = line.split('\t').collect();
        let cell = |at: usize| cells.get(at).copied().unwrap_or("");
        let (id, fen, moves) = (cell(id), cell(fen), cell(moves));
        Row { line: number + 2, id, fen, moves, what: what.map_or("", cell) }
    };
    Ok(lines.enumerate().filter(|(_, line)| !line.trim().is_empty()).map(row).collect())
}

/// A row judged by every rule set that has clauses.
fn row_judged(args: &Args, row: &Row) -> Result<JudgedGame, Message> {
    let texts: Vec<&str> = row.moves.split_whitespace().collect();
    JudgedGame::read(Some(row.fen), &texts)?.judge_first(args, |judgement| judgement.rules != RuleSet::None)
}

fn batch(args: &Args, file: &Path, mut page: Option<&mut Page>) -> Outcome {
    let text = read(file)?;
    let language = args.language.language();
    let rows = rows(&text, language).map_err(|why| at(file, why))?;
    say("id\tchinese\tasian\tcomputer");
    let mut broken = 0;
    for row in rows {
        match row_judged(args, &row) {
            Ok(game) => {
                if let Some(page) = page.as_deref_mut() {
                    page.add(row.id, row.what, &game);
                }
                let rulings: Vec<_> = game.found.iter().flatten().map(|j| j.ruling.name()).collect();
                say(format_args!("{}\t{}", row.id, rulings.join("\t")));
            }
            Err(why) => {
                broken += 1;
                remark!("sanqi: {}:{}: {}", file.display(), row.line, why.text(language));
            }
        }
    }
    match broken {
        0 => Ok(()),
        _ => Err(message!("lines that could not be read: {broken}" | "无法读取的行：{broken}", broken)),
    }
}

/// The page of typical repetitions.
fn gallery(args: &Args, page: &mut Page) -> Outcome {
    for row in rows(TYPICAL, page.language())? {
        page.add(row.id, row.what, &row_judged(args, &row)?);
    }
    Ok(())
}
