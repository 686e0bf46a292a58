//! Texts for people, English and Chinese side by side.
//!
//! Every message is a function of the language and of its blanks. A message that lacks a language does not
//! compile, nor does one of whose blanks a language makes no use. Terms of the rules have the words that the
//! rules use. What is wrong, and what a game ended by, is a [`Message`](super::message::Message) instead.

use super::lang::Language;
use std::fmt::Display;

/// Messages: `name(blanks) = English | Chinese;`.
macro_rules! words {
    ($($name:ident($($blank:ident),*) = $english:literal | $chinese:literal;)*) => {
        $(
            #[doc = $english]
            pub fn $name(language: Language, $($blank: impl Display),*) -> String {
                match language {
                    Language::English => format!($english, $($blank = $blank),*),
                    Language::Chinese => format!($chinese, $($blank = $blank),*),
                }
            }
        )*
    };
}

// Sides and ends of games.
words! {
    white() = "White" | "白方";
    black() = "Black" | "黑方";
    red() = "Red" | "红方";
    wins(side) = "{side} wins" | "{side}胜";
    draw() = "a draw" | "和棋";

    counted() = "counted" | "数子";
    interrupted() = "interrupted" | "中断";
    fault_in_words(reason, detail) = "{reason}: {detail}" | "{reason}：{detail}";
}

// The pages of persons and of the arbiter.
words! {
    seat_of() = "Seat of " | "座位：";
    arbiters_desk() = "Arbiter's desk" | "裁判席";
    no_game_yet() = "No game yet." | "还没有对局。";
    ready_button() = "I am ready" | "准备好了";
    waits_for_players() = "Waiting for the players." | "等待双方就座。";
    your_move() = "Your move." | "轮到你走。";
    opponents_move() = "Your opponent is to move." | "轮到对方走。";
    clocks_are_stopped() = "The arbiter has stopped the clocks." | "裁判已停钟。";
    seal_your_move() = "The game is adjourned: seal your move, which stays secret until the game is resumed." | "对局封棋：请封下一步，续弈以前保密。";
    opponent_seals() = "The game is adjourned: your opponent seals a move." | "对局封棋：由对方封下一步。";
    is_adjourned() = "The game is adjourned." | "对局已封棋。";
    envelope_waits() = "The envelope is opened when the player who has to answer is here." | "应着的一方到场后启封。";
    voice_of_the_clock() = "call the seconds aloud" | "语音报时";
    seal_button() = "Seal" | "封棋";
    adjourn_button() = "Adjourn" | "宣布封棋";
    call_off_button() = "Call off the adjournment" | "取消封棋";
    resume_button() = "Resume" | "续弈";
    press_enter_when_ready() = "Press Enter when you are ready." | "准备好了请按回车键。";
    game_at_terminal(number, first, second, side) = "Game {number}: {first} – {second}. You have {side}." | "第 {number} 局：{first} 对 {second}。您执{side}。";
    both_clocks(own, other) = " [{own}, opponent {other}]" | " [{own}，对方 {other}]";
    offer_goes_along() = "The draw is offered with your next move." | "将在走下一步时提和。";
    decline_word() = "no" | "拒绝 no";
    decline_help() = "declines a draw; draw accepts it" | "拒绝和棋；提和 draw 即同意";
    leave_match_help() = "ends the match, which --resume goes on with" | "结束比赛，可用 --resume 继续";
    may_be_defense(mv) = "XQ-R9 is for an arbiter to judge: if {mv} takes a defensive point that draws at once, it is idle"
        | "棋例 7.8（XQ-R9）由裁判员判断：如果 {mv} 是占据防守要点、立即形成和棋，则按闲处理";
    mark_the_dead() = "Mark the dead stones, and agree." | "点选死子，然后同意。";
    opponent_counts() = "Your opponent marks the dead stones." | "对方正在标出死子。";
    count_button() = "Agree" | "同意";
    play_button() = "Play" | "走";
    typed_move() = "Move" | "着法";
    offer_with_move() = "offer a draw with the move" | "走棋时提和";
    draw_is_offered() = "Your opponent offers a draw." | "对方提和。";
    you_offer_a_draw() = "You have offered a draw." | "你已提和。";
    accept_button() = "Accept" | "接受";
    decline_button() = "Decline" | "拒绝";
    claim_button() = "Claim a draw" | "要求判和";
    pass_button() = "Pass" | "停一手";
    resign_button() = "Resign" | "认输";
    sure_to_resign() = "Resign this game?" | "确定认输？";
    not_here() = "not here" | "未到场";
    pause_button() = "Stop the clocks" | "停钟";
    continue_button() = "Start the clocks" | "开钟";
    warn_button() = "Warn" | "警告";
    forfeit_button() = "Loses" | "判负";
    sure_to_forfeit() = "Does this player lose the game?" | "确定判负？";
    why_warned() = "Why?" | "原因？";
    ledger_heading() = "Ledger" | "记录";
}

// Before a person at a terminal has chosen a protocol.
words! {
    unknown_command(line) = "Unknown command: {line}" | "没有这个命令：{line}";
}

// A match on the terminal.
words! {
    detected_protocol(engine, protocol) = "engine {engine} speaks {protocol}"
        | "引擎 {engine} 使用 {protocol} 协议";
    match_is_over() = "the match is over" | "比赛已经结束";
    match_is_gone() = "The match manager does not answer: this is the last picture." | "对局管理程序没有应答：这是最后的画面。";
    live_page(address) = "live page: {address}" | "实况网页：{address}";
    seat_address(name, address) = "seat of {name}: {address}" | "{name} 的座位：{address}";
    arbiter_address(address) = "arbiter's desk: {address}" | "裁判席：{address}";
    group_heading(letter) = "Group {letter}" | "{letter} 组";
    table_heading() = "Table" | "循环赛";
    play_off_heading() = "Play-off" | "加赛";
    knockout_heading(number) = "Knockout, round {number}" | "淘汰赛第 {number} 轮";
    final_heading() = "Final" | "决赛";
    deciding_game_of(number, first) = " (deciding game {number}, {first} first by lot)"
        | "（第 {number} 局决胜，抽签{first}先走）";
    better_seed(name) = "  → {name}, the better seed" | "  → {name}（种子在前）";
    advances_column() = "advances" | "出线";
    settled_column() = "settled by" | "名次依据";
    game_started(number, first, second) = "Started game {number} ({first} vs {second})"
        | "第 {number} 局开始（{first} 对 {second}）";
    game_finished(number, first, second, result, why) =
        "Finished game {number} ({first} vs {second}): {result} {{{why}}}"
        | "第 {number} 局结束（{first} 对 {second}）：{result} {{{why}}}";
    game_again(number) = "Game {number} is played again: the match manager stood still meanwhile"
        | "第 {number} 局重下：对局管理程序中途停顿过";
    versus(first, second) = "{first} vs {second}" | "{first} 对 {second}";
    engine_remarks(engine, remark) = "{engine} remarks: {remark}" | "{engine} 说：{remark}";
    counted_results(wins, draws, losses) = "+{wins} ={draws} -{losses}" | "胜 {wins} 和 {draws} 负 {losses}";
    score_of(first, second, results, score, games, pairs) =
        "Score of {first} vs {second}: {results} [{score}] {games} games, pairs by points (0 ½ 1 1½ 2) {pairs}"
        | "{first} 对 {second}：{results}，得分率 {score}，共 {games} 局，两局一对的得分（0 ½ 1 1½ 2）{pairs}";
    elo_and_others(elo, normalized, superiority, draws) =
        "Elo {elo}, nElo {normalized}, LOS {superiority} %, draws {draws} %"
        | "等级分差 {elo}，标准化等级分差 {normalized}，优势概率 {superiority} %，和棋 {draws} %";
    latencies(each, between) = "Latency: {each}; {between} ms between two moves"
        | "延迟：{each}；两着之间 {between} 毫秒";
    latency_of(name, ms) = "{name} {ms} ms" | "{name} {ms} 毫秒";
    games_left() = "{{msg}}{{running}}{{bar:30}} {{pos}}/{{len}} games, {{elapsed_precise}}, {{eta}} left"
        | "{{msg}}{{running}}{{bar:30}} {{pos}}/{{len}} 局，已用 {{elapsed_precise}}，还需 {{eta}}";
    games_so_far() = "{{msg}}{{running}}{{spinner}} {{pos}} games, {{elapsed_precise}}"
        | "{{msg}}{{running}}{{spinner}} {{pos}} 局，已用 {{elapsed_precise}}";
    games_column() = "games" | "局数";
    own_openings(count) =
        "No --openings: {count} balanced openings of ours; --openings none is the usual start"
        | "没有 --openings：从程序自带的 {count} 个均势开局开始；--openings none 从通常的局面开始";
    own_arrays(count) =
        "No --openings: the {count} arrays, shuffled by --seed; --openings none is the usual start"
        | "没有 --openings：从 {count} 种开局排列开始，顺序由 --seed 决定；--openings none 从通常的局面开始";
    usual_start() = "No --openings: every game starts from the usual position" | "没有 --openings：每局都从通常的局面开始";
    opening_left_out(why) = "sanqi: left out: {why}" | "sanqi: 略去：{why}";
    resume_by(games, path) = "interrupted, games finished: {games}; go on with: sanqi match --resume {path}"
        | "下了 {games} 局后中断；接着下：sanqi match --resume {path}";
    other_record(flag, other) = "{flag} is not for this game: {other} writes its games"
        | "{flag} 不用于这种棋：对局由 {other} 写出";
    started_by(name, command) = "{name} is started as the journal says: {command}" | "按日志启动 {name}：{command}";
    no_journal(games) = "interrupted, games finished: {games}; with --journal FILE it could be resumed"
        | "下了 {games} 局后中断；写了 --journal FILE 才能接着下";
    games_missing(count) = "games in none of these journals: {count}" | "有 {count} 局不在这些日志里";
    wins_the_knockout(name) = "{name} wins the knockout" | "{name} 赢得淘汰赛";
    wins_the_play_off(name) = "{name} wins the play-off" | "{name} 赢得加赛";
}

// The judge of repetitions in xiangqi.
words! {
    red_side() = "red" | "红方";
    black_side() = "black" | "黑方";

    nothing_repeated(rules) = "{rules}: no position is repeated" | "{rules}：没有局面重复";
    nothing_repeated_thrice(game) = "{game}: nothing is repeated three times" | "{game}：没有局面三次重复";
    line_of_game(game, line) = "{game} line {line}" | "{game} 变化 {line}";
    game_of_file(file, number) = "{file} game {number}" | "{file} 第 {number} 局";
    ruled(rules, ruling, clause, text) = "{rules}: {ruling} by {clause} ({text})"
        | "{rules}：{ruling}，依据{clause}：{text}";
    ruled_by_no_clause(rules, text) = "{rules}: {text}" | "{rules}：{text}";
    both_sides(red, black) = "; red: {red}, black: {black}" | "。红方：{red}；黑方：{black}";
    search_cut_short() = "; the search for threats was cut short" | "。对威胁的搜索没有做完";
    allowed_since(pattern, mv, class) = "{pattern}, {mv} is {class}" | "{pattern}（{mv} 是{class}）";
    nothing_chased_throughout(pattern) = "{pattern}, no piece is chased by every move"
        | "{pattern}（没有每着都被捉的子）";
    judged_move(ply, side, piece, mv, class) = "{ply:>4}  {side:<5}  {piece}  {mv}  {class}"
        | "{ply:>4}  {side}  {piece}  {mv}  {class}";
    judged_victim(attacker, from, piece, at, gain, why) = "{attacker}{from}x{piece}{at} wins {gain} ({why})"
        | "{attacker}{from}吃{piece}{at}得 {gain}（{why}）";
    real_root(piece, at) = " {piece}{at}" | "，根{piece}{at}";
    seeming_root(piece, at) = " !{piece}{at}" | "，假根{piece}{at}";
    idle_by(clause) = "; idle by {clause}" | "；依{clause}按闲处理";
    chase_by(clause) = "; chases by {clause} and XQ-D11" | "；依{clause}和 XQ-D11 按捉处理";
    forced_gain(now, before) = "checks in a row win {now}, before the move {before}"
        | "连将得子 {now}，走这着之前为 {before}";
}

// The page of the boards.
words! {
    only_games(count) = "only the first {count} games are shown" | "只显示前 {count} 局";
    more_complaints(count) = "more games that cannot be read: {count}" | "另有 {count} 局读不出来";
}

// The page of the judge.
words! {
    judged_title() = "Judged by Sanqi" | "三棋的裁决";
    cycle_begins() = "The cycle begins" | "循环开始";
    diagram_legend() =
        "Arrows: who could capture whom after the move. Blue rings: roots. Red ring: a general in check."
        | "箭头：走后谁可以吃谁。蓝圈：根。红圈：被将军的将（帅）。";
    rules_column() = "Rules" | "规则";
    verdict_column() = "Verdict" | "裁决";
    clause_column() = "Clause" | "条款";
    reason_column() = "Reason" | "理由";
    drawn() = "Draw" | "和棋";
    nothing_judged() = "Nothing is repeated." | "没有局面重复。";
}

// A game on the terminal.
words! {
    flag_of_other_games(flag, game, games) = "{flag} is not for {game}; it is for {games}"
        | "{flag} 不用于{game}，只用于{games}";
    no_komi(komi, max) = "--komi {komi} is not a number of half points from -{max} to {max}"
        | "--komi {komi} 不是 -{max} 至 {max} 之间的半目倍数";
    start_of_chess960(number) = "Chess960, start {number}" | "国际象棋 960，第 {number} 号开局";
    thinking(depth, score, line) = "thinking: {depth}, {score}: {line}" | "思考：{depth}，{score}：{line}";
    mate_in(moves) = "mate in {moves}" | "{moves} 步杀";
    mated_in(moves) = "mated in {moves}" | "被 {moves} 步杀";
    winrate_and_lead(winrate, lead) = "{winrate:.0} %, {lead:+.1} points" | "胜率 {winrate:.0} %，{lead:+.1} 目";
    clocks(own, other) = " [{own}, engine {other}]" | " [{own}，引擎 {other}]";
    no_such_move(why, examples) = "{why}; a move is written {examples}; for words: help"
        | "{why}；着法写作 {examples}；输入“帮助”查看全部命令";
    examples_of_chess() = "e4, Nf3, O-O or e2e4" | "e4、Nf3、O-O 或 e2e4";
    examples_of_xiangqi() = "炮二平五, C2=5 or h2e2" | "炮二平五、C2=5 或 h2e2";
    examples_of_go() = "D4 or pass" | "D4 或 停一手";
    there_is_no_move() = "there is no move" | "没有着法";
    nothing_to_search() = "there is nothing to search" | "没有可搜索的";
    opinion(score, side, line) = "{score}, as {side} sees it; best: {line}" | "{score}（从{side}看）；最佳：{line}";
    see_topics() = "sanqi help topics lists the pages" | "sanqi help 题目 列出各页";
    ended(winner, why) = "{winner}: {why}" | "{winner}：{why}";
    level_is(level) = "level {level}" | "级别 {level}";
    full_strength() = "full strength" | "全力";
    level_column() = "level" | "级别";
    rank_on_board(size) = "rank on {size}×{size}" | "{size} 路级位";
    rank_beyond(rank) = "beyond {rank}" | "{rank} 以下";
    rated(level, worth) = "{level} ({worth})" | "{level}（{worth}）";
    above_level(max, worth) = "full strength, above level {max} ({worth})" | "全力，高于级别 {max}（{worth}）";
    level_usage(max) = "level N, from 1 to {max}, or level full" | "级别 N，1 至 {max}，或 级别 全力";
    level_usage_go(max) = "level N, from 1 to {max}, or a rank, 20k to 1d, or level full"
        | "级别 N，1 至 {max}，或级位 20k 至 1d，或 级别 全力";
    draw_declined() = "the engine declines the draw" | "引擎不同意和棋";
    save_usage() = "save FILE" | "保存 文件名";
    saved_to(path) = "saved to {path}" | "已保存到 {path}";
    none_dead() = "none" | "无";
    count_legend(dead, points) = "{dead}: dead stones; {points}: points of Black and of White"
        | "{dead}：死子；{points}：黑方和白方的地";
    count_so_far(dead, result) = "dead stones: {dead}; the result: {result}" | "死子：{dead}；结果：{result}";
    agree_prompt() = "agree? [Y/n] (VERTEX changes a group; undo plays on; help) "
        | "同意吗？[Y/n]（坐标：改变一块棋的死活；悔棋：继续下；帮助） ";
    count_help() = "Enter or yes   agrees to this count, which ends the game\nVERTEX         such as D4: a group that was dead is alive, or the other way round\nundo           takes back the passes: the game goes on\nboard, moves, score, save FILE, resign and quit mean what they mean in the game"
        | "回车 或 是     同意，本局终了\n坐标（如 D4）  把那块棋由死改活，或由活改死\n悔棋 undo      收回停着，继续下\n棋盘、着法、形势、保存 文件名、认输、退出：与对局中相同";
    agree_at_terminal() = "Enter agrees; VERTEX changes a group." | "按回车键同意；输入坐标改变一块棋的死活。";
    no_stone_on(vertex) = "there is no stone on \"{vertex}\"" | "“{vertex}”上没有棋子";

    a_move_is(examples) = "a move: {examples}" | "着法：{examples}";
    hint_word() = "hint" | "提示 hint";
    hint_help() = "a good move" | "建议一着";
    score_word() = "score" | "形势 score";
    score_help() = "what the engine thinks of the position; estimate is the same" | "引擎对局面的看法";
    undo_word() = "undo" | "悔棋 undo";
    undo_help() = "takes back your last move and the answer to it" | "收回您的一着和它的应着";
    resign_word() = "resign" | "认输 resign";
    resign_help() = "gives the game up" | "放弃这一局";
    pass_word() = "pass" | "停一手 pass";
    passes() = "pass" | "停一手";
    pass_help() = "two passes end the game" | "双方各停一手即终局";
    draw_word() = "draw" | "提和 draw";
    draw_help() = "offers a draw" | "提议和棋";
    moves_word() = "moves" | "着法 moves";
    moves_help() = "the moves so far" | "到目前为止的着法";
    board_word() = "board, flip" | "棋盘 board，翻转 flip";
    board_help() = "shows the board, from the other side" | "显示棋盘，从另一边看";
    level_word() = "level N" | "级别 level N";
    level_help(max) = "how strong the engine plays: 1 to {max}, or full; without N, a list"
        | "设定引擎的棋力，1 至 {max}，或全力 full；不写 N 就列出各级";
    new_word() = "new" | "重来 new";
    new_help() = "starts again; with a side, such as new black, on that side" | "重新开始；重来 黑：执黑重新开始";
    size_word() = "size N, komi N" | "路数 size N，贴目 komi N";
    size_help() = "starts again on another board, with another komi" | "换棋盘或贴目，重新开始";
    handicap_word() = "handicap N" | "让子 handicap N";
    handicap_help() = "starts again with handicap stones for Black" | "让黑方 N 子，重新开始";
    number_usage(word, low, high) = "{word} N, from {low} to {high}" | "{word} N，{low} 至 {high}";
    komi_usage() = "komi POINTS, such as 7.5, or 3.75zi" | "贴目 目数，例如 7.5；或子数，例如 3.75zi";
    side_usage(sides) = "new, or new with a side: {sides}" | "重来，或写出执哪方：{sides}";
    load_word() = "load FILE" | "读取 load 文件名";
    load_help() = "goes on from the end of a recorded game" | "读入一局棋，从最后的局面续下";
    load_usage() = "load FILE" | "读取 文件名";
    loaded(path, moves) = "{path}: {moves} moves" | "{path}：{moves} 着";
    review_word() = "review" | "复盘 review";
    review_help() = "finds the mistakes of the game" | "找出这一局里的失误";
    reviewing(ply, plies) = "looking at move {ply} of {plies}" | "正在看第 {ply} 着，共 {plies} 着";
    no_mistakes() = "no mistakes were found" | "没有发现失误";
    nothing_to_review() = "no move was played" | "还没有走棋";
    review_of_side(side, summary) = "{side}: {summary}" | "{side}：{summary}";
    save_word() = "save FILE" | "保存 save 文件名";
    save_go_help() = "writes the game as SGF" | "把棋局写成 SGF";
    save_help() = "writes the game as PGN; fen: shows the position" | "把棋局写成 PGN；局面 fen：显示局面";
    quit_word() = "quit" | "退出 quit";
    you_play(side, strength) = "You are {side}. The engine plays at {strength}." | "您是{side}。引擎棋力：{strength}。";
    how_to_change(level, other) =
        "\"level {level}\" changes that, \"new {other}\" your side; \"help\" lists all commands."
        | "“级别 {level}”改变棋力，“重来 {other}”换边，“帮助”列出全部命令。";
    nodes_a_move(nodes) = "{nodes} nodes a move" | "每着 {nodes} 个结点";
    depth_of_search(depth) = "depth {depth}" | "深度 {depth}";
    game_is_over() =
        "the game is over: save FILE, review, new, load FILE, undo, board, moves, quit"
        | "本局已结束：保存 文件名、复盘、重来、读取 文件名、悔棋、棋盘、着法、退出";
    kept_in(game, path) = "the game is kept in {path}; sanqi play {game} --resume continues it"
        | "棋局保存在 {path}；用 sanqi play {game} --resume 续下";
    journal_failed(why) = "the game goes on without its journal: {why}" | "日志写不下去，对局继续：{why}";
    unfinished_game(game) = "There is an unfinished game; sanqi play {game} --resume continues it."
        | "有一局未下完的棋；用 sanqi play {game} --resume 续下。";
    resumed(moves) = "The game is resumed after move {moves}." | "续下：已走 {moves} 着。";
    engine_offers() = "the engine offers a draw: draw accepts it, a move declines it" | "引擎提和：输入“提和”同意，走棋即拒绝";
    no_advice() = "there is no advice in a serious game" | "正式对局不能求助";
    no_clock() = "the game has no clock" | "本局不计时";
    time_left(own, left, other, right, control) = "{own} {left}, {other} {right} ({control})"
        | "{own} {left}，{other} {right}（{control}）";
    seconds_left(seconds) = "{seconds} s left" | "还剩 {seconds} 秒";
    periods_left(periods) = "{periods} periods of byo-yomi left" | "读秒，还剩 {periods} 次";
    stopped_mark() = " (paused)" | "（暂停）";
    clocks_stand() = "the clocks are stopped; continue lets them run" | "棋钟已停；输入“继续”接着走";
    clocks_run() = "the clocks run" | "棋钟继续走";
    clock_changed(side, seconds) = "{side}'s clock: {seconds} s" | "{side}的棋钟：{seconds} 秒";
    illegal_move_of(side, mv, count) = "{side}: {mv} is put back, illegal move {count}"
        | "{side}：{mv} 收回，第 {count} 次违例着法";
    foul_of(side, count) = "{side}: foul {count}, a draw offered again" | "{side}：第 {count} 次犯规，重复提和";
    time_word() = "time" | "用时 time";
    time_help() = "what is left on both clocks" | "双方剩余的时间";
    pause_word() = "pause, continue" | "暂停 pause，继续 continue";
    pause_help() = "stops the clocks, lets them run" | "停钟，继续走钟";
    claim_word() = "claim, claim MOVE" | "判和 claim，判和 着法";
    claim_help() = "claims a draw by repetition or fifty moves, with MOVE if named"
        | "以三次重复或五十回合要求判和，可写出将走的着法";
    adjourn_word() = "adjourn MOVE" | "封棋 adjourn 着法";
    adjourn_help() = "seals the move and leaves; play --resume opens it" | "封棋后离开；用 play --resume 启封续下";
    adjourn_usage() = "adjourn MOVE: the move that is sealed" | "封棋 着法：写出所封的着法";
    nowhere_to_adjourn(game) = "a game is adjourned in a file: sanqi play {game} --resume FILE"
        | "封棋需要文件：sanqi play {game} --resume 文件名";
    sealed(envelope, path) = "sealed; your envelope is in {path}: {envelope}" | "已封棋；信封在 {path}：{envelope}";
    played(side, mv) = "{side}: {mv}" | "{side}：{mv}";
    unsealed(side, mv) = "the envelope is opened; {side}: {mv}" | "启封；{side}：{mv}";
    envelope_prompt() = "the envelope, or \"lost MOVE\" (quit leaves) " | "信封内容，或“遗失 着法”（退出 离开） ";
    drop_prompt() = "the game is not saved; drop it? [y/N] (or save FILE) " | "本局尚未保存，要放弃吗？[y/N]（或：保存 文件名） ";
    quit_help() = "leaves" | "离开";
}

// What the machine gives the engine.
words! {
    finding(what, found) = "{what}: {found}" | "{what}：{found}";
    advice(text) = "  better: {text}" | "  建议：{text}";
    wrong(what, why) =
        "{what}: WRONG: {why}\n  do: build again (make clean, make) or get the program again; if it stays, report all of this"
        | "{what}：有错：{why}\n  请重新编译（make clean、make）或重新取得程序；若仍如此，请把以上全部报告给我们";
    parts_do_not_work(count) = "parts that do not work: {count}" | "不能工作的部分：{count}";
    build_commit(commit) = "commit: {commit}" | "提交：{commit}";
    with_changes(commit) = "{commit}, with changes" | "{commit}，有改动";
    build_compiler(compiler) = "compiler: {compiler}" | "编译器：{compiler}";
    build_target(target) = "target: {target}" | "目标平台：{target}";
    build_alphabeta_code(name) = "code for chess and xiangqi: {name}" | "国际象棋和象棋的指令路径：{name}";
    build_go_code(name) = "code for go: {name}" | "围棋的指令路径：{name}";
    no_net() = "none" | "无";
    build_net(game, net) = "net of {game}: {net}" | "{game}的网络：{net}";
    processors() = "processors" | "处理器";
    use_threads(max) = "searches use one until Threads says more, up to {max}"
        | "默认只用一个线程搜索；把 Threads 调大可用更多，最多 {max}";
    instructions() = "instructions" | "指令集";
    usual_instructions() = "those every processor of this kind has" | "这类处理器都有的指令";
    memory() = "memory" | "内存";
    mib_available(mib) = "{mib} MiB available" | "可用 {mib} MiB";
    spare_memory(mib) = "end other programs, or keep Hash below {mib} (Go has 256 by itself)"
        | "关掉别的程序，或让 Hash 小于 {mib}（围棋默认 256）";
    not_reported_by_system() = "this system does not report it" | "此系统未说明";
    huge_pages() = "huge pages" | "大页";
    allow_huge_pages() =
        "large tables are searched faster with them: echo madvise | sudo tee /sys/kernel/mm/transparent_hugepage/enabled"
        | "有大页时查大表更快：echo madvise | sudo tee /sys/kernel/mm/transparent_hugepage/enabled";
    debug_assertions() = "debug assertions" | "调试断言";
    on() = "on" | "开";
    off() = "off" | "关";
    build_a_fast_one() = "this is a slow build: make builds a fast one" | "这个版本运行得慢：make 编译出快的版本";
    file_of_options() = "file of options" | "选项文件";
    no_file_of_options() = "none; sanqi --print-config prints one" | "无；sanqi --print-config 打印一份";
    correct_these_lines() = "correct these lines; sanqi --print-config prints what there is"
        | "改正这些行；sanqi --print-config 打印全部选项";
    kernels_of(game) = "kernels of {game}" | "{game}的计算内核";
    kernels_agree(names) = "{names} agree" | "{names} 结果一致";
    kernels_differ(names) = "{names} evaluate otherwise" | "{names} 的评估不同";
    no_net_built_in() = "no net is built in" | "程序内没有网络";
    perft_of(game) = "perft of {game}" | "{game}的 perft";
    leaves(found, depth, speed) = "{found} leaves at depth {depth}, {speed} leaves/s"
        | "深度 {depth} 有 {found} 个叶结点，每秒 {speed} 个";
    leaves_not(found, depth, known) = "{found} leaves at depth {depth}, not {known}"
        | "深度 {depth} 数得 {found} 个叶结点，应为 {known}";
    conversation_in(protocol) = "conversation in {protocol}" | "{protocol} 对话";
    answers_in(count, ms) = "{count} answers in {ms} ms" | "{count} 个应答，用时 {ms} 毫秒";
    not_answered(answer, said) = "'{answer}' was not answered: {said}" | "没有应答“{answer}”：{said}";
    speed_of(game, nodes) = "{game}: {nodes} nodes/s" | "{game}：每秒 {nodes} 个结点";
    no_speed_of(game) = "{game}: searches, and reports no nodes" | "{game}：能搜索，但没有报告结点数";
    go_evaluates_by(how) = "go evaluates by {how}" | "围棋的评估方式：{how}";
    evaluator_speed(mode, net, visit) = "{mode} (an evaluation by the net takes {net} µs, a visit {visit} µs)"
        | "{mode}（网络评估一次 {net} 微秒，访问一次 {visit} 微秒）";
}

// Whether an engine is fit for matches.
words! {
    tried_heading() = "What was tried" | "检查内容";
    found_heading() = "What was found" | "发现";
    nothing_found() = "Nothing was found." | "没有发现问题。";
    checks_column() = "Checks" | "检查项";
    processes_column() = "Starts" | "启动次数";
    lines_column() = "Lines sent" | "发送行数";
    seconds_column() = "Seconds" | "秒";
    commands_column() = "Commands" | "命令";
    fit_for_matches() = "fit for matches" | "适合比赛";
    not_fit_for_matches() = "not fit for matches" | "不适合比赛";
    found_times(times) = " ({times} times)" | "（{times} 次）";
    why_it_matters(reason) = "Why it matters: {reason}" | "为什么要紧：{reason}";
    checking(group) = "checking {group} ..." | "正在检查 {group} ……";
}

// Games analyzed, and their page.
words! {
    game_heading(game, first, second, result, side) =
        "{game}: {first} - {second}, {result} (scores as {side} sees them)"
        | "{game}：{first} - {second}，{result}（分值从{side}看）";
    side_summary(player, side, summary) = "{player} ({side}): {summary}" | "{player}（{side}）：{summary}";
    accuracy(percent, worst, bad, doubtful) = "accuracy {percent:.0} %, ?? {worst}, ? {bad}, ?! {doubtful}"
        | "准确率 {percent:.0} %，?? {worst}，? {bad}，?! {doubtful}";
    better(line) = "  better: {line}" | "  更好：{line}";
    mated() = "mate" | "将死";
    games_to_analyze() = "{{bar:30}} {{pos}}/{{len}} games, {{elapsed_precise}}, {{eta}} left"
        | "{{bar:30}} {{pos}}/{{len}} 局，已用 {{elapsed_precise}}，还需 {{eta}}";
    positions_to_solve() = "{{bar:30}} {{pos}}/{{len}} positions, {{elapsed_precise}}, {{eta}} left"
        | "{{bar:30}} {{pos}}/{{len}} 个局面，已用 {{elapsed_precise}}，还需 {{eta}}";
    no_game_analyzed() = "no game was analyzed" | "没有分析任何对局";
    games_analyzed(whole, broken) = "analyzed: {whole}; could not be read: {broken}"
        | "分析了 {whole} 局；{broken} 局无法读取";
    problem_solved(id, mv, nodes, seconds, depth) =
        "{id}: solved, {mv} at {nodes} nodes, {seconds:.3} s, depth {depth}"
        | "{id}：解出，{mv}，{nodes} 个结点，{seconds:.3} 秒，深度 {depth}";
    problem_failed(id, mv, wanted) = "{id}: failed, {mv} for {wanted}" | "{id}：未解出，走了 {mv}，应为 {wanted}";
    problem_not_avoided(id, mv, moves) = "{id}: failed, {mv}; to be avoided: {moves}"
        | "{id}：未解出，走了 {mv}；不应走 {moves}";
    no_move() = "none" | "无着";
    suite_summary(solved, count, nodes, seconds) = "{solved} of {count} solved, {nodes} nodes, {seconds:.1} s"
        | "{count} 个局面解出 {solved} 个，{nodes} 个结点，{seconds:.1} 秒";
    no_position_found() = "no position was found" | "没有找到局面";
    positions_tried(count, broken) = "tried: {count}; could not be read: {broken}"
        | "试了 {count} 个局面；{broken} 个无法读取";

    analyzed_title() = "Analyzed by Sanqi" | "三棋的分析";
    seen_by(side) = "chances and scores as {side} sees them" | "胜率与分值以{side}为准";
    page_better() = "better: " | "更好：";
    best_moves() = "the best line" | "最佳变化";
    moves_heading() = "Moves" | "着法";
    course_heading() = "Course of the game" | "形势";
    turning_points() = "Turning points" | "转折点";
    share_button() = "Share" | "分享";
    copy_position() = "Copy position" | "复制局面";
    copy_game() = "Copy game" | "复制棋谱";
    copied() = "Copied" | "已复制";
    accuracy_column() = "Accuracy" | "准确率";
    blunders_column() = "blunders" | "大错";
    mistakes_column() = "mistakes" | "失误";
    slips_column() = "inaccuracies" | "欠妥";
    page_hint() = "Arrow keys, the list or the curve go through the game." | "用方向键、着法表或曲线浏览对局。";
    territory() = "territory" | "形势";
    to_start() = "start" | "开局";
    step_back() = "back" | "后退";
    step_forward() = "forward" | "前进";
    to_end() = "end" | "终局";
    turn_board() = "turn the board" | "翻转棋盘";
}

// Boards in the browser.
words! {
    port_is_taken(port) =
        "port {port} is taken, the page has another one; its settings are kept for each port"
        | "端口 {port} 已被占用，改用其他端口；网页的设置按端口分别保存";
    no_browser() = "no browser could be started; the address is above" | "无法启动浏览器；地址见上面";
}

// The page of a match.
words! {
    result_heading() = "Result" | "结果";
    standings_heading() = "Standings" | "名次";
    crosstable_heading() = "Crosstable" | "对阵表";
    elo_heading() = "Elo, with its 95 % interval, by games" | "等级分差与 95 % 区间，按局数";
    llr_heading() = "Log-likelihood ratio, by games" | "对数似然比，按局数";
    time_heading() = "Time" | "用时";
    endings_heading() = "Endings" | "终局原因";
    openings_heading() = "By opening" | "按开局";
    games_heading() = "Games" | "对局";
    engine_column() = "engine" | "引擎";
    own_name_column() = "calls itself" | "自称";
    command_column() = "command" | "命令";
    options_column() = "options" | "选项";
    player_column() = "player" | "棋手";
    rating_column() = "rating" | "等级分";
    points_column() = "points" | "积分";
    limit_column() = "limit" | "限制";
    per_move_column() = "ms a move" | "每着毫秒";
    longest_column() = "longest" | "最长";
    latency_column() = "latency" | "延迟";
    flags_column() = "flags" | "超时";
    opening_column() = "opening" | "开局";
    start_position() = "start" | "初始局面";
    between_moves() = " ms between two moves" | " 毫秒（两着之间）";
    ending_column() = "Ending" | "结束方式";
    moves_column() = "Moves" | "着数";
    count_of_games() = " games" | " 局";
    book_move() = "opening" | "开局着法";
    played_when(date, hours, minutes, machine, threads) =
        "{date}, {hours} h {minutes} min, {machine}, {threads} threads"
        | "{date}，{hours} 小时 {minutes} 分钟，{machine}，{threads} 线程";
    played_briefly(date, seconds, machine, threads) =
        "{date}, {seconds} s, {machine}, {threads} threads" | "{date}，{seconds} 秒，{machine}，{threads} 线程";
    flag_for_the_engine(flag) = "{flag} is given to the engine; what is meant for check stands before it"
        | "{flag} 交给了引擎；给 check 的选项要写在引擎前面";
    the_others() = "the others" | "其余各方";
    result_line(name, opponent, wins, draws, losses, elo) =
        "{name} vs {opponent}: +{wins} ={draws} -{losses}, Elo {elo}"
        | "{name} 对 {opponent}：{wins} 胜 {draws} 和 {losses} 负，Elo {elo}";
    result_more(elo, superiority, pairs) = "; nElo {elo}, LOS {superiority} %, pairs by points (0 ½ 1 1½ 2) {pairs}"
        | "；nElo {elo}，优势概率 {superiority} %，两局一对的得分（0 ½ 1 1½ 2）{pairs}";
    files_written(files) = "Written: {files}" | "已写出：{files}";
    undecided() = "undecided" | "未决";
    accepted(hypothesis) = "{hypothesis} accepted" | "接受 {hypothesis}";
    go_conditions(size, rules, komi) = "{size}×{size}, {rules} rules, komi {komi}"
        | "{size} 路，{rules}规则，贴 {komi} 目";
    handicap_stones(count) = ", {count} stones" | "，让 {count} 子";
    xiangqi_conditions(rules) = "repetitions: {rules}" | "循环局面：{rules}";
}
