//! What is said to people, English and Chinese side by side.
//!
//! Every message is a function of the language and of its blanks. A message that lacks a language does not compile,
//! nor does one of whose blanks a language makes no use. Terms of the rules have the words that the rules use. Reasons that
//! come from below, as plain text, are told by [`reason`].

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

    checkmate() = "checkmate" | "将死";
    stalemate() = "stalemate" | "无子可动";
    dead_position() = "neither side can win" | "双方均无取胜可能";
    repetition() = "repetition" | "循环重复局面";
    no_progress() = "too many moves without progress" | "自然限着";
    counted() = "counted" | "数子";
    agreement() = "agreed" | "双方议和";
    resignation() = "resignation" | "认输";
    adjudication() = "adjudication" | "提前判定";
    tablebase() = "endgame tables" | "残局库判定";
    time() = "time" | "超时";
    illegal_move() = "an illegal move" | "着法违例";
    premature_move() = "a move out of turn" | "抢先走棋";
    fouls() = "fouls" | "犯规";
    crash() = "crash" | "程序崩溃";
    stall() = "no answer" | "没有应答";
    forfeit() = "forfeit" | "弃权";
    interrupted() = "interrupted" | "中断";
    repetition_by(clause) = "repetition, {clause}" | "循环重复局面，依 {clause}";
    fault_in_words(reason, detail) = "{reason}: {detail}" | "{reason}：{detail}";
}

// A match on the terminal.
words! {
    game_started(number, first, second) = "Started game {number} ({first} vs {second})" | "第 {number} 局开始（{first} 对 {second}）";
    game_finished(number, first, second, result, why) = "Finished game {number} ({first} vs {second}): {result} {{{why}}}"
        | "第 {number} 局结束（{first} 对 {second}）：{result} {{{why}}}";
    versus(first, second) = "{first} vs {second}" | "{first} 对 {second}";
    engine_remarks(engine, remark) = "{engine} remarks: {remark}" | "{engine} 说：{remark}";
    counted_results(wins, draws, losses) = "+{wins} ={draws} -{losses}" | "胜 {wins} 和 {draws} 负 {losses}";
    score_of(first, second, results, score, games, pairs) = "Score of {first} vs {second}: {results} [{score}] {games} games, pairs {pairs}"
        | "{first} 对 {second}：{results}，得分率 {score}，共 {games} 局，成对结果 {pairs}";
    elo_and_others(elo, normalized, superiority, draws) = "Elo {elo}, nElo {normalized}, LOS {superiority} %, draws {draws} %"
        | "等级分差 {elo}，标准化 {normalized}，较强的可能 {superiority} %，和棋 {draws} %";
    latencies(each, between) = "Latency: {each}; {between} ms between two moves" | "延迟：{each}；两着之间 {between} 毫秒";
    latency_of(name, ms) = "{name} {ms} ms" | "{name} {ms} 毫秒";
    games_left() = "{{msg}}{{running}}{{bar:30}} {{pos}}/{{len}} games, {{elapsed_precise}}, {{eta}} left"
        | "{{msg}}{{running}}{{bar:30}} {{pos}}/{{len}} 局，已用 {{elapsed_precise}}，还需 {{eta}}";
    games_so_far() = "{{msg}}{{running}}{{spinner}} {{pos}} games, {{elapsed_precise}}"
        | "{{msg}}{{running}}{{spinner}} {{pos}} 局，已用 {{elapsed_precise}}";
    games_column() = "games" | "局数";
    own_openings(count) = "No --openings: {count} balanced positions of ours; --openings none is the usual start"
        | "没有 --openings：从程序自带的 {count} 个均势局面开始；--openings none 从通常的局面开始";
    own_arrays(count) = "No --openings: the {count} arrays, shuffled by --seed; --openings none is the usual start"
        | "没有 --openings：从 {count} 种开局排列开始，顺序由 --seed 决定；--openings none 从通常的局面开始";
    usual_start() = "No --openings: every game starts from the usual position" | "没有 --openings：每局都从通常的局面开始";
    opening_left_out(why) = "sanqi: left out: {why}" | "sanqi: 略去：{why}";
    resume_by(games, path) = "interrupted after {games} games; go on with: sanqi match --resume {path}"
        | "下了 {games} 局后中断；接着下：sanqi match --resume {path}";
    no_journal(games) = "interrupted after {games} games; with --journal FILE it could be resumed"
        | "下了 {games} 局后中断；写了 --journal FILE 才能接着下";
    games_missing(count) = "{count} games are in none of these journals" | "有 {count} 局不在这些日志里";
    wins_the_knockout(name) = "{name} wins the knockout" | "{name} 赢得淘汰赛";
    wins_the_play_off(name) = "{name} wins the play-off" | "{name} 赢得加赛";
}

// The judge of repetitions in xiangqi.
words! {
    rules_chinese() = "chinese" | "中国规则";
    rules_asian() = "asian" | "亚洲规则";
    rules_computer() = "computer" | "网站通行规则";
    rules_none() = "none" | "不裁决";

    red_side() = "red" | "红方";
    black_side() = "black" | "黑方";
    red_wins() = "red_wins" | "红胜";
    black_wins() = "black_wins" | "黑胜";
    drawn() = "draw" | "和棋";
    no_ruling() = "none" | "无";

    both_allowed() = "both cycles are allowed and neither side deviates: draw" | "双方均为允许着法，双方不变作和";
    both_forbidden() = "both cycles are forbidden, and not exactly one of them is a perpetual check: draw"
        | "双方均为禁止着法，且不是仅有一方长将，双方不变作和";
    one_forbidden() = "one cycle is forbidden, the other allowed: the forbidden side loses"
        | "一方为禁止着法，另一方为允许着法，前者须变着，不变判负";
    perpetual_check_clause() = "a perpetual check loses against any other forbidden cycle, and draws against another one"
        | "长将对其他禁止着法，长将方须变着，不变判负；双方长将，双方不变作和";
    third_occurrence() = "the position occurred again: draw" | "局面再次出现，作和";

    perpetual_check() = "perpetual check" | "长将";
    perpetual_threat() = "perpetual mate threat" | "长杀";
    perpetual_chase() = "perpetual chase" | "长捉";
    perpetual_attack() = "perpetual attack" | "长打";
    allowed() = "allowed" | "允许着法";

    rootless() = "no root" | "无根";
    false_root() = "false root" | "假根";
    too_few_roots() = "too few roots" | "少根";
    outweighed() = "outweighs its attacker" | "比攻击者值钱";

    nothing_repeated(rules) = "{rules}: no position is repeated" | "{rules}：没有局面重复";
    nothing_repeated_thrice(game) = "{game}: nothing is repeated three times" | "{game}：没有局面三次重复";
    line_of_game(game, line) = "{game} line {line}" | "{game} 变化 {line}";
    game_of_file(file, number) = "{file} game {number}" | "{file} 第 {number} 局";
    ruled(rules, ruling, clause, text) = "{rules}: {ruling} by {clause} ({text})" | "{rules}：{ruling}，依据{clause}：{text}";
    ruled_by_no_clause(rules, text) = "{rules}: {text}" | "{rules}：{text}";
    both_sides(red, black) = "; red: {red}, black: {black}" | "。红方：{red}；黑方：{black}";
    search_cut_short() = "; the search for threats was cut short" | "。对威胁的搜索没有做完";
    allowed_since(pattern, mv, class) = "{pattern}, {mv} is {class}" | "{pattern}（{mv} 是{class}）";
    nothing_chased_throughout(pattern) = "{pattern}, no piece is chased by every move" | "{pattern}（没有每着都被捉的子）";
    judged_move(ply, side, piece, mv, class) = "{ply:>4}  {side:<5}  {piece}  {mv}  {class}"
        | "{ply:>4}  {side}  {piece}  {mv}  {class}";
    judged_victim(attacker, from, piece, at, gain, why) = "{attacker}{from}x{piece}{at} wins {gain} ({why})"
        | "{attacker}{from}吃{piece}{at}得 {gain}（{why}）";
    real_root(piece, at) = " {piece}{at}" | "，根{piece}{at}";
    seeming_root(piece, at) = " !{piece}{at}" | "，假根{piece}{at}";
    idle_by(clause) = "; idle by {clause}" | "；依{clause}按闲处理";
    forced_gain(now, before) = "checks in a row win {now}, before the move {before}" | "连将得子 {now}，走这着之前为 {before}";
}

// The page of the judge.
words! {
    judged_title() = "Repetitions judged by Sanqi" | "三棋对循环局面的裁决";
    cycle_begins() = "The cycle begins" | "循环开始";
    diagram_legend() = "Arrows: who could capture whom after the move. Blue rings: roots. Red ring: a general in check."
        | "箭头：走后谁可以吃谁。蓝圈：根。红圈：被将军的将（帅）。";
    nothing_judged() = "Nothing is repeated." | "没有局面重复。";
}

// A game on the terminal.
words! {
    flag_of_other_games(flag, game, games) = "{flag} is not for {game}; it is for {games}" | "{flag} 不用于{game}，只用于{games}";
    no_komi(komi, most) = "--komi {komi} is not a number of half points from -{most} to {most}"
        | "--komi {komi} 不是 -{most} 至 {most} 之间的半目倍数";
    start_of_chess960(number) = "Chess960, start {number}" | "国际象棋 960，第 {number} 号开局";
    thinking(depth, score, line) = "thinking: {depth}, {score}: {line}" | "思考：{depth}，{score}：{line}";
    mate_in(moves) = "mate in {moves}" | "{moves} 步杀";
    mated_in(moves) = "mated in {moves}" | "被 {moves} 步杀";
    winrate_and_lead(winrate, lead) = "{winrate:.0} %, {lead:+.1} points" | "胜率 {winrate:.0} %，{lead:+.1} 目";
    clocks(own, other) = " [{own}, engine {other}]" | " [{own}，引擎 {other}]";
    no_such_move(why, examples) = "{why}; a move is written {examples}; for words: help"
        | "{why}；着法写作 {examples}；输入 帮助 可看全部词";
    examples_of_chess() = "e4, Nf3, O-O or e2e4" | "e4、Nf3、O-O 或 e2e4";
    examples_of_xiangqi() = "炮二平五, C2=5 or h2e2" | "炮二平五、C2=5 或 h2e2";
    examples_of_go() = "D4 or pass" | "D4 或 停一手";
    there_is_no_move() = "there is no move" | "没有着法";
    nothing_to_search() = "there is nothing to search" | "没有可搜索的";
    opinion(score, side, line) = "{score}, as {side} sees it; best: {line}" | "{score}（从{side}看）；最佳：{line}";
    level_is(level) = "level {level}" | "级别 {level}";
    full_strength() = "full strength" | "全力";
    level_column() = "level" | "级别";
    rank_on_board(size) = "rank on {size}×{size}" | "{size} 路级位";
    rank_beyond(rank) = "beyond {rank}" | "{rank} 以下";
    level_usage(most) = "level N, from 1 to {most}, or level full" | "级别 N，1 至 {most}，或 级别 全力";
    level_usage_go(most) = "level N, from 1 to {most}, or a rank, 20k to 1d, or level full"
        | "级别 N，1 至 {most}，或级位 20k 至 1d，或 级别 全力";
    draw_declined() = "the engine declines the draw" | "引擎不同意和棋";
    save_usage() = "save FILE" | "保存 文件名";
    saved_to(path) = "saved to {path}" | "已保存到 {path}";
    none_dead() = "none" | "无";
    count_legend(dead, points) = "{dead}: dead stones; {points}: points of Black and of White" | "{dead}：死子；{points}：黑方和白方的地";
    count_so_far(dead, result) = "dead stones: {dead}; the result: {result}" | "死子：{dead}；结果：{result}";
    agree_prompt() = "agree? (yes; VERTEX changes a group; undo plays on) "
        | "同意吗？（是；输入坐标改变一块棋的死活；悔棋 继续下）";
    no_stone_on(vertex) = "there is no stone on {vertex}" | "{vertex} 上没有棋子";

    a_move_is(examples) = "a move: {examples}" | "着法：{examples}";
    hint_word() = "hint" | "提示 hint";
    hint_help() = "a good move" | "建议一着";
    score_word() = "score" | "形势 score";
    score_help() = "what the engine thinks of the position" | "引擎对局面的看法";
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
    level_help(most) = "sets how strong the engine plays, 1 to {most}, or full; alone, shows the levels"
        | "设定引擎的棋力，1 至 {most}，或全力 full；不写 N 就列出各级";
    new_word() = "new" | "重来 new";
    new_help() = "starts again" | "重新开始";
    save_word() = "save FILE" | "保存 save 文件名";
    save_go_help() = "writes the game as SGF" | "把棋局写成 SGF";
    save_help() = "writes the game as PGN; fen: shows the position" | "把棋局写成 PGN；fen：显示局面";
    quit_word() = "quit" | "退出 quit";
    quit_help() = "leaves" | "离开";
}

// What the machine gives the engine.
words! {
    finding(what, found) = "{what}: {found}" | "{what}：{found}";
    advice(text) = "  better: {text}" | "  建议：{text}";
    wrong(what, why) = "{what}: WRONG: {why}\n  do: build again (make clean, make) or get the program again; if it stays, report all of this"
        | "{what}：有错：{why}\n  请重新编译（make clean、make）或重新取得程序；若仍如此，请把以上全部报告给我们";
    parts_do_not_work(count) = "parts that do not work: {count}" | "不能工作的部分：{count}";
    build_commit(commit) = "commit: {commit}" | "提交：{commit}";
    build_compiler(compiler) = "compiler: {compiler}" | "编译器：{compiler}";
    build_target(target) = "target: {target}" | "目标平台：{target}";
    build_alphabeta_code(name) = "code for chess and xiangqi: {name}" | "国际象棋和象棋的指令路径：{name}";
    build_go_code(name) = "code for go: {name}" | "围棋的指令路径：{name}";
    no_net() = "none" | "无";
    build_net(game, net) = "net of {game}: {net}" | "{game}的网络：{net}";
    processors() = "processors" | "处理器";
    use_threads(most) = "searches use one until Threads says more, up to {most}" | "搜索只用一个，直到用 Threads 设得更多，最多 {most}";
    instructions() = "instructions" | "指令集";
    usual_instructions() = "those every processor of this kind has" | "这类处理器都有的指令";
    memory() = "memory" | "内存";
    mib_available(mib) = "{mib} MiB available" | "可用 {mib} MiB";
    spare_memory(mib) = "end other programs, or keep Hash below {mib} (Go has 256 by itself)"
        | "关掉别的程序，或让 Hash 小于 {mib}（围棋默认 256）";
    system_does_not_tell() = "this system does not tell" | "此系统未说明";
    huge_pages() = "huge pages" | "大页";
    allow_huge_pages() = "large tables are searched faster with them: echo madvise | sudo tee /sys/kernel/mm/transparent_hugepage/enabled"
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
    leaves(found, depth, speed) = "{found} leaves at depth {depth}, {speed} leaves/s" | "深度 {depth} 有 {found} 个叶结点，每秒 {speed} 个";
    leaves_not(found, depth, known) = "{found} leaves at depth {depth}, not {known}" | "深度 {depth} 数得 {found} 个叶结点，应为 {known}";
    conversation_in(protocol) = "conversation in {protocol}" | "{protocol} 对话";
    answers_in(count, ms) = "{count} answers in {ms} ms" | "{count} 个应答，用时 {ms} 毫秒";
    not_answered(answer, said) = "'{answer}' was not answered: {said}" | "没有应答“{answer}”：{said}";
    speed_of(game, nodes) = "{game}: {nodes} nodes/s" | "{game}：每秒 {nodes} 个结点";
    no_speed_of(game) = "{game}: searches, and tells no nodes" | "{game}：能搜索，但没有报告结点数";
    chess() = "chess" | "国际象棋";
    xiangqi() = "xiangqi" | "象棋";
    go() = "go" | "围棋";
    go_evaluates_by(how) = "go evaluates by {how}" | "围棋的评估方式：{how}";
    evaluator_speed(mode, net, visit) = "{mode} (an evaluation by the net takes {net} µs, a visit {visit} µs)"
        | "{mode}（网络评估一次 {net} 微秒，访问一次 {visit} 微秒）";
}

// Whether an engine is fit for matches.
words! {
    fault() = "fault" | "错误";
    warning() = "warning" | "警告";
    note() = "note" | "说明";
    fit_for_matches() = "fit for matches" | "适合比赛";
    not_fit_for_matches() = "not fit for matches" | "不适合比赛";
    found_times(times) = " ({times} times)" | "（{times} 次）";
    why_it_matters(reason) = "Why it matters: {reason}" | "为什么要紧：{reason}";
    checking(group) = "checking {group} ..." | "正在检查 {group} ……";
}

// Games analyzed, and their page.
words! {
    game_heading(game, first, second, result, side) = "{game}: {first} - {second}, {result} (scores as {side} sees them)"
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
    problem_solved(id, mv, nodes, seconds, depth) = "{id}: solved, {mv} at {nodes} nodes, {seconds:.3} s, depth {depth}"
        | "{id}：解出，{mv}，{nodes} 个结点，{seconds:.3} 秒，深度 {depth}";
    problem_failed(id, mv, wanted) = "{id}: failed, {mv} for {wanted}" | "{id}：未解出，走了 {mv}，应为 {wanted}";
    problem_not_avoided(id, mv, moves) = "{id}: failed, {mv}; to be avoided: {moves}" | "{id}：未解出，走了 {mv}；不应走 {moves}";
    no_move() = "none" | "无着";
    suite_summary(solved, count, nodes, seconds) = "{solved} of {count} solved, {nodes} nodes, {seconds:.1} s"
        | "{count} 个局面解出 {solved} 个，{nodes} 个结点，{seconds:.1} 秒";
    no_position_found() = "no position was found" | "没有找到局面";
    positions_tried(count, broken) = "tried: {count}; could not be read: {broken}"
        | "试了 {count} 个局面；{broken} 个无法读取";

    analyzed_title() = "Analyzed by Sanqi" | "三棋的分析";
    seen_by(side) = "chances and scores as {side} sees them" | "机会与分值从{side}看";
    page_better() = "better: " | "更好：";
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
    count_of_games() = " games" | " 局";
    book_move() = "opening" | "开局着法";
    played_when(date, hours, minutes, machine, threads) = "{date}, {hours} h {minutes} min, {machine}, {threads} threads"
        | "{date}，{hours} 小时 {minutes} 分钟，{machine}，{threads} 线程";
    flag_for_the_engine(flag) = "{flag} is given to the engine; what is meant for check stands before it"
        | "{flag} 交给了引擎；给 check 的选项要写在引擎前面";
    the_others() = "the others" | "其余各方";
    result_line(name, opponent, wins, draws, losses, elo) = "{name} vs {opponent}: +{wins} ={draws} -{losses}, Elo {elo}"
        | "{name} 对 {opponent}：{wins} 胜 {draws} 和 {losses} 负，Elo {elo}";
    result_more(elo, superiority, pairs) = "; nElo {elo}, LOS {superiority} %, pairs {pairs}"
        | "；nElo {elo}，较强的把握 {superiority} %，成对得分 {pairs}";
    accepted(hypothesis) = "{hypothesis} accepted" | "接受 {hypothesis}";
    go_conditions(size, rules, komi) = "{size}×{size}, {rules} rules, komi {komi}" | "{size}×{size} 路，{rules}规则，贴 {komi} 目";
    handicap_stones(count) = ", {count} stones" | "，让 {count} 子";
    xiangqi_conditions(rules) = "repetitions by the {rules} rules" | "循环局面：{rules}";
}

/// Reasons that come up from the rules, the engine and the files, which know no language: in English, with `{}` for each
/// blank, and in Chinese, with the blanks by number. What stands in a blank may be a reason itself. The first that fits
/// counts.
const REASONS: &[(&str, &str)] = &[
    // The conversation with a client.
    ("position: no FEN after 'fen'", "局面：fen 之后没有内容"),
    ("position: nothing follows", "局面：没有内容"),
    ("position: 'startpos' or 'fen' expected, not '{}'", "局面：应为 startpos 或 fen，而不是“{0}”"),
    ("position: {}", "局面：{0}"),
    ("probe: {}", "查询：{0}"),
    ("go is refused: a search is running (send stop first)", "go 被拒绝：正在搜索（请先发送 stop）"),
    ("go: no limit was understood, thinking for one second", "go：没有能懂的限制，思考一秒"),
    ("go: searchmoves without a move is ignored", "go：searchmoves 之后没有着法，略过"),
    ("go: {} without a number is ignored", "go：{0} 之后没有数，略过"),
    ("go: {} '{}' is no number, and is ignored", "go：{0} 之后的“{1}”不是数，略过"),
    ("go: '{}' is ignored", "go：“{0}”略过"),
    ("go: {}", "go：{0}"),
    ("there is no position, the last one was refused", "没有局面，上一个被拒绝了"),
    ("{} is refused while searching", "搜索时拒绝 {0}"),
    ("{} cannot be set while searching", "搜索时不能设置 {0}"),
    ("not while searching", "搜索时不行"),
    ("a search is running already", "正在搜索"),
    ("a search is running", "正在搜索"),
    ("unknown command: {}", "不认识的命令：{0}"),
    (
        "no such option: {}; {} is the nearest, --print-config lists all",
        "没有选项 {0}；最接近的是 {1}，--print-config 列出全部",
    ),
    ("no such option: {}", "没有这个选项：{0}"),
    ("[{}] is none of the sections {}", "[{0}] 不是选项文件的节；有这些节：{1}"),
    ("{} is a rank of Go; levels are numbers from 1 to {}", "{0} 是围棋的级位；级别是 1 至 {1} 的数"),
    ("{} must be {}, not '{}'", "{0} 须为{1}，而不是“{2}”"),
    ("true or false", " true 或 false"),
    ("a whole number from {} to {}", " {0} 至 {1} 的整数"),
    ("one of {}", "以下之一：{0}"),
    ("a text", "文字"),
    ("none, it is done at once", "没有，设置时立即执行"),
    ("'{}' is not a whole number", "“{0}”不是整数"),
    ("soldiers do not promote in these rules", "这里的规则没有升变"),
    ("seldepth {}, {} permille of the table", "选择深度 {0}，置换表已用千分之 {1}"),
    ("a move from the book", "开局库着法"),
    ("left out of the root moves: {}", "不计入根着法：{0}"),
    ("{} would lose by repetition", "走 {0} 会因循环判负"),
    ("{} wins by repetition: the opponent had to deviate", "走 {0} 因循环而胜：对方本应变着"),
    ("there is no perft in this game", "这种棋没有 perft"),
    ("perft was stopped", "perft 已停止"),
    ("bench was stopped", "bench 已停止"),
    // Files and memory.
    ("cannot open {}: {}", "打不开 {0}：{1}"),
    ("cannot read '{}': {}", "读不了“{0}”：{1}"),
    ("cannot use '{}': {}", "用不了“{0}”：{1}"),
    (
        "no memory for a table of {} MiB and {} threads: {} MiB are available",
        "没有内存给 {0} MiB 的置换表和 {1} 个线程：可用 {2} MiB",
    ),
    ("no memory for a table of {} MiB and {} threads", "没有内存给 {0} MiB 的置换表和 {1} 个线程"),
    ("cannot start {} threads: {}", "启动不了 {0} 个线程：{1}"),
    ("no game is in it", "其中没有对局"),
    ("games or files that could not be read: {}", "无法读取的对局或文件：{0}"),
    // Positions of xiangqi.
    ("empty fen", "FEN 为空"),
    ("fen has {} fields, at most 6 are known", "FEN 有 {0} 项，至多 6 项"),
    ("fen has {} ranks instead of 10", "FEN 有 {0} 行，应为 10 行"),
    ("rank {} of the fen describes {} points instead of 9", "FEN 的横线 {0} 有 {1} 点，应为 9 点"),
    ("unknown piece \"{}\" on rank {}", "横线 {1} 上有不认识的棋子“{0}”"),
    ("unknown side to move \"{}\"", "不认识的走棋方“{0}”"),
    ("\"{}\" is no move counter", "“{0}”不是着数"),
    ("{} has no general", "{0}没有将（帅）"),
    ("{} has {} generals", "{0}有 {1} 个将（帅）"),
    ("{} has {} pieces of \"{}\", at most {} are possible", "{0}有 {1} 个“{2}”，至多 {3} 个"),
    ("{} general on {} is outside the palace", "{0}的将（帅）在 {1}，不在九宫内"),
    ("{} \"{}\" cannot stand on {}", "{0}的“{1}”不能在 {2}"),
    ("the generals face each other on the {} file", "两将（帅）在 {0} 线照面"),
    ("{} is in check but not to move", "{0}被将军，却没有轮到它走"),
    ("red", "红方"),
    ("black", "黑方"),
    ("pieces: {} ranks instead of 8", "棋子：有 {0} 行，应为 8 行"),
    ("pieces: rank {} has {} squares instead of 8", "棋子：第 {0} 行有 {1} 格，应为 8 格"),
    ("pieces: {} on rank {} is no piece", "棋子：第 {1} 行上的 {0} 不是棋子"),
    ("pieces: {} has {} kings instead of 1", "棋子：{0}有 {1} 个王，应为 1 个"),
    ("pieces: {} has {} pawns, 8 at most", "棋子：{0}有 {1} 个兵，至多 8 个"),
    ("pieces: {} has more pieces than promotions allow", "棋子：{0}的棋子多于升变所能得到的"),
    ("pieces: a pawn stands on {}", "棋子：{0} 上有兵"),
    ("side to move: \"{}\" is neither w nor b", "走棋方：“{0}”不是 w 也不是 b"),
    ("side to move: {} could capture the king", "走棋方：{0}可以吃掉对方的王"),
    (
        "castling rights: {} is none of KQkq, A to H, a to h or -",
        "易位权：{0} 不是 KQkq、A 至 H、a 至 h 或 -",
    ),
    ("castling rights: {} says again what was said", "易位权：{0} 重复"),
    (
        "en passant square: \"{}\" is no square of the third or sixth rank",
        "吃过路兵格：“{0}”不是第三或第六行的格",
    ),
    ("half-move clock: \"{}\" is no number from 0 to 9999", "半回合计数：“{0}”不是 0 至 9999 的数"),
    ("move number: \"{}\" is no number from 0 to 99999", "回合数：“{0}”不是 0 至 99999 的数"),
    ("more than six fields, from \"{}\" on", "多于六项，从“{0}”起"),
    ("white", "白方"),
    // Moves.
    ("line {}: {}", "第 {0} 行：{1}"),
    ("game {}: {}", "第 {0} 局：{1}"),
    ("a null move", "空着"),
    ("not SGF: {}", "不是 SGF：{0}"),
    ("fen \"{}\": {}", "FEN“{0}”：{1}"),
    ("move {}: {}", "第 {0} 着：{1}"),
    ("\"{}\" is not a move", "“{0}”不是着法"),
    ("\"{}\" is not possible here", "这里不能走“{0}”"),
    ("\"{}\" leaves the general in check", "走“{0}”会送将"),
    ("\"{}\" could be several moves", "“{0}”可以是几种着法"),
    ("\"{}\" is no move in algebraic notation", "“{0}”不是代数记谱法的着法"),
    ("\"{}\" is not a point of the board", "“{0}”不是棋盘上的点"),
    ("\"{}\" cannot be played: {}", "“{0}”不能下：{1}"),
    ("{} is not legal here", "这里不能走 {0}"),
    ("{} could be {} or {}", "{0} 可以是 {1} 或 {2}"),
    ("not on the board", "不在棋盘上"),
    ("the point is occupied", "此处已有棋子"),
    ("suicide", "禁止自杀"),
    ("superko", "全局同形"),
    ("ko", "劫，须先在别处下一着"),
    // The ends of games.
    ("{}; a draw wins for {}", "{0}；和棋判{1}胜"),
    ("{} mates", "{0}将死对方"),
    ("{} is stalemated", "{0}无子可动"),
    ("{}; {} cannot mate", "{0}，但{1}无法将死"),
    ("{} oversteps the time", "{0}超时"),
    ("{} resigns", "{0}认输"),
    ("{} finds no move where there is one", "{0}有棋可走而不走"),
    ("{} plays {}: {}", "{0}走 {1}：{2}"),
    ("{} never started: {}", "{0}没有启动：{1}"),
    ("neither side started: {}", "双方都没有启动：{0}"),
    ("{}: {}, foul {}", "{0}{1}，第 {2} 次犯规"),
    ("offers a draw again", "再次提和"),
    ("draw agreed", "双方议和"),
    ("neither side can win", "双方均无取胜可能"),
    ("neither side can mate", "双方均无法将死"),
    ("too many moves without a capture", "自然限着：长时间没有吃子"),
    ("fifty moves without a capture or a pawn move", "五十着没有吃子，也没有走兵"),
    ("third occurrence of the position", "局面第三次出现"),
    ("{} wins by endgame tables", "残局库判定{0}胜"),
    ("draw by endgame tables", "残局库判定和棋"),
    ("{} wins by adjudication", "提前判定{0}胜"),
    ("draw by adjudication", "提前判定和棋"),
    ("no result after {} moves", "{0} 着后仍无结果，判和"),
    ("the match was interrupted", "比赛被中断"),
    ("Red", "红方"),
    ("Black", "黑方"),
    ("White", "白方"),
    // What engines do wrong in a match.
    ("{} when no move was asked for", "没有轮到它走，却说 {0}"),
    ("no move within {} s", "{0} 秒内没有走棋"),
    ("no answer to {} within {} s", "{1} 秒内没有回答 {0}"),
    ("no {} within {} s", "{1} 秒内没有 {0}"),
    ("the engine is gone: {}", "引擎程序已经终止：{0}"),
    ("it closed its output", "它关闭了输出"),
    ("the engine refused what it was told: {}", "引擎拒绝了：{0}"),
    ("the engine does not announce the variant xiangqi", "引擎没有声明会下象棋（xiangqi）"),
    ("the engine cannot be given a position, only moves", "引擎只接受着法，不接受局面"),
    ("this engine has no command that limits its visits", "这个引擎没有限制访问数的命令"),
    ("cannot start {}: {}", "启动不了 {0}：{1}"),
    ("it declares no option {}", "它没有声明选项 {0}"),
    ("it announces no option {}", "它没有声明选项 {0}"),
    (
        "engine {} lost all of its {} games by crash or stall: {}",
        "引擎 {0} 的 {1} 局都因程序终止或没有应答判负：{2}",
    ),
    ("engine {}: {}", "引擎 {0}：{1}"),
    (
        "the engine answers none of {} within {} s; --protocol says what it speaks",
        "引擎没有应答 {0}（{1} 秒内）；用 --protocol 说明它用哪种协议",
    ),
    ("the engine ends and answers none of {}: {}", "引擎没有应答 {0} 就结束了：{1}"),
    ("the groups of this protocol are {}", "这种协议有这些组：{0}"),
    ("unclosed quote in command {}", "命令 {0} 的引号没有配对"),
    ("empty command", "命令是空的"),
    // The files and the flags of a match.
    ("a match is running on it", "有一场比赛正在使用它"),
    ("no match is described in it", "其中没有比赛的说明"),
    ("there is one already; --resume goes on", "它已经存在；接着下用 --resume"),
    ("cannot write the journal: {}", "写不了日志：{0}"),
    ("this journal is of another match: {}", "这个日志属于另一场比赛：{0}"),
    (
        "its game {} is not in the schedule with --games {}: go on with --games {}, and --rounds for more",
        "--games {1} 的赛程里没有它的第 {0} 局：请保持 --games {2}，要多下就用 --rounds",
    ),
    (
        "its game {} is not in the schedule: an earlier version began the match, or it had other rounds",
        "赛程里没有它的第 {0} 局：比赛由较早的版本开始，或轮数不同",
    ),
    ("its game {} is not in the schedule", "赛程里没有它的第 {0} 局"),
    ("the trace is not whole: {}", "往来记录不完整：{0}"),
    ("no opening is left", "没有剩下可用的开局"),
    ("the openings have changed since game {}", "第 {0} 局之后开局文件变了"),
    ("openings of {} cannot be read from a file of this kind", "不能从这种文件读取 {0} 的开局"),
    ("opening {}: {}", "开局 {0}：{1}"),
    ("the game is over: {}", "棋局已经结束：{0}"),
    ("a game of {}", "这是一局 {0}"),
    ("no moves", "没有着法"),
    ("{} is not a time control such as {}", "{0} 不是时限；时限写作 {1}"),
    // What was built, and how it evaluates.
    ("{}, with changes", "{0}，有改动"),
    ("generation {}, checksum {}", "第 {0} 代，校验和 {1}"),
    ("hybrid: net after {} visits, {}% of the value", "混合：经过 {0} 次后询问网络，占结果的 {1}%"),
    // What `sanqi check` found.
    ("no \"{}\" before the end of the greeting", "问候结束之前没有“{0}”"),
    ("it took {} ms or more, three times in a row", "用了 {0} 毫秒以上，连续三次"),
    ("it took {} s", "用了 {0} 秒"),
    ("option \"{}\": {}", "选项“{0}”：{1}"),
    ("option \"{}\"", "选项“{0}”"),
    ("no option {}", "没有选项 {0}"),
    ("it has no name", "没有名称"),
    ("it has no type", "没有类型"),
    ("there is no type {}", "没有 {0} 这种类型"),
    ("a check has the default true or false", "check 的默认值应是 true 或 false"),
    ("a spin has whole numbers as min and max", "spin 的 min 和 max 应是整数"),
    ("a spin has a whole number as default", "spin 的默认值应是整数"),
    ("a combo has choices", "combo 应有可选的值"),
    ("its range needs more than 32 bits", "范围超出 32 位"),
    ("a choice holds a blank", "可选的值里有空格"),
    ("{} is not in {} to {}", "{0} 不在 {1} 至 {2} 之内"),
    ("{} is none of its choices", "{0} 不在可选的值之中"),
    ("all options at their defaults: {}", "所有选项都取默认值：{0}"),
    ("median {} ms", "中位数 {0} 毫秒"),
    ("no readyok within a second, in a search without end", "不限时搜索之中，一秒内没有 readyok"),
    ("no readyok within {} s", "{0} 秒内没有 readyok"),
    ("no readyok after a stop", "stop 之后没有 readyok"),
    ("no bestmove within {} s", "{0} 秒内没有 bestmove"),
    ("no bestmove in {} s", "{0} 秒之中没有 bestmove"),
    ("no bye after quit", "quit 之后没有 bye"),
    ("no answer within {} s", "{0} 秒内没有应答"),
    ("no answer to \"{}\"", "没有应答“{0}”"),
    ("no empty line", "没有空行"),
    ("\"{}\" has no end", "“{0}”没有结束"),
    ("\"{}\" belongs to no answer", "“{0}”不属于任何应答"),
    ("\"{}\" when nothing was searched", "没有搜索，却有“{0}”"),
    ("\"{}\" when no move was asked for", "没有要求走棋，却有“{0}”"),
    ("\"{}\" when there are legal moves", "有合法着法，却答“{0}”"),
    ("\"{}\" when all is Black's", "全盘都属黑方，却答“{0}”"),
    ("\"{}\" with a mate in one told", "已报一步杀，却走“{0}”"),
    ("\"{}\" is not legal", "“{0}”不合规则"),
    ("\"{}\" should be {}", "“{0}”应写作 {1}"),
    ("\"{}\" is accepted", "接受了“{0}”"),
    ("boardsize 1000 is accepted", "接受了 boardsize 1000"),
    ("\"info {}\": the game is over before {}", "“info {0}”：走 {1} 之前棋局已经结束"),
    ("nothing follows \"{}\"", "“{0}”之后没有内容"),
    ("\"{}\" is followed by \"{}\", which is no such number", "“{0}”之后的“{1}”不是它的数"),
    ("\"score\" is followed by \"{}\", which is no kind of score", "“score”之后的“{0}”不是一种分数"),
    ("\"{}\" took {} ms or more, {} times in a row", "“{0}”用了 {1} 毫秒以上，连续 {2} 次"),
    ("\"{}\": {} ms or more, {} times in a row", "“{0}”：{1} 毫秒以上，连续 {2} 次"),
    ("\"{}\": {} s or more, {} times in a row", "“{0}”：{1} 秒以上，连续 {2} 次"),
    ("{} ms or more after ponderhit, {} times in a row", "ponderhit 之后 {0} 毫秒以上，连续 {1} 次"),
    ("\"{}\" does not end", "“{0}”不会结束"),
    ("\"{}\" went to depth {}", "“{0}”搜索到深度 {1}"),
    ("\"{}\" went to {} nodes", "“{0}”搜索了 {1} 个结点"),
    ("a search without end ended by itself", "不限时的搜索自行结束了"),
    ("a move before the expected one was played", "预料的着法还没有走，就走了棋"),
    ("{} ms told, {} ms passed", "报 {0} 毫秒，实际过了 {1} 毫秒"),
    ("nps {} of {} nodes in {} ms", "{1} 个结点、{2} 毫秒，却报每秒 {0} 个"),
    ("{} played, \"{}\" told", "走的是 {0}，报的是“{1}”"),
    ("{} for the side to move, which is far ahead", "走棋的一方远为占优，却报 {0}"),
    ("{} for the side to move, which is far behind", "走棋的一方远为落后，却报 {0}"),
    ("{} told, and {} draws", "报 {0}，而 {1} 成和"),
    ("mate {} told, it is mate {}", "报 {0} 步杀，实为 {1} 步"),
    ("{} centipawns told, it is mate {}", "报 {0} 厘兵，实为 {1} 步杀"),
    ("no score told, it is mate {}", "没有报分，实为 {0} 步杀"),
    ("no time_settings or no time_left", "没有 time_settings 或 time_left"),
    ("genmove after two passes: {}", "双方停着之后 genmove：{0}"),
    ("\"{}\" takes back a ko at once", "“{0}”立即提回劫"),
    ("no-such-command is said to be known", "说是懂得 no-such-command"),
    ("\"{}\" was answered with the number \"{}\"", "“{0}”的应答带编号“{1}”"),
    ("\"{}\" was answered with \"{}\"", "“{0}”的应答是“{1}”"),
    ("the answer to showboard ends before its end", "showboard 的应答中途就结束了"),
    ("no feature after \"protover 2\"", "“protover 2”之后没有 feature"),
    ("the features do not end with done=1", "feature 没有以 done=1 结束"),
    ("no myname among the features", "feature 里没有 myname"),
    ("no \"Illegal move\" after {}", "{0} 之后没有“Illegal move”"),
    ("a move after \"?\" in force mode", "force 状态下收到“?”却走了棋"),
    ("a move in force mode", "force 状态下走了棋"),
    ("no line of thinking in \"{}\"", "“{0}”之中没有思考的输出"),
    ("it closed its output", "它关闭了输出"),
    ("its input is closed", "它的输入已关闭"),
    ("{}; then {}", "{0}；然后 {1}"),
    ("{}; {}", "{0}; {1}"),
    ("shortest search", "最短的搜索"),
];

/// What the system says of files.
const SYSTEM: &[(&str, &str)] = &[
    ("No such file or directory{}", "没有这个文件或目录{0}"),
    ("Permission denied{}", "没有权限{0}"),
    ("Is a directory{}", "这是目录，不是文件{0}"),
    ("Not a directory{}", "这不是目录{0}"),
    ("No space left on device{}", "磁盘已满{0}"),
    ("File exists{}", "文件已经存在{0}"),
    ("Broken pipe{}", "管道已断开{0}"),
    ("exit status: {}", "退出状态 {0}"),
    ("stream did not contain valid UTF-8", "不是 UTF-8 文本"),
];

/// A reason as a person reads it; as it is where nothing is known of it in the language. What has a colon, a file's name
/// before it for one, is told in its parts.
pub fn reason(language: Language, text: &str) -> String {
    if language == Language::English {
        return text.to_owned();
    }
    let mut known = REASONS.iter().chain(SYSTEM);
    let fits = known.find_map(|(english, chinese)| Some((blanks(english, text)?, *chinese)));
    let Some((found, chinese)) = fits else {
        let parts = text.split_once(": ").map(|(before, why)| (before, why, reason(language, why)));
        return match parts {
            Some((before, why, told)) if told != why => format!("{}：{told}", reason(language, before)),
            _ => text.to_owned(),
        };
    };
    let (mut told, mut rest) = (String::new(), chinese);
    while let Some((before, (number, behind))) =
        rest.split_once('{').and_then(|(before, after)| Some((before, after.split_once('}')?)))
    {
        let blank = number.parse().ok().and_then(|at: usize| found.get(at));
        told += before;
        told += &reason(language, blank.copied().unwrap_or_default());
        rest = behind;
    }
    told + rest
}

/// What stands in the blanks of a text that has the form of `template`. A blank is not empty.
fn blanks<'t>(template: &str, text: &'t str) -> Option<Vec<&'t str>> {
    let mut fixed = template.split("{}");
    let (mut rest, mut found) = (text.strip_prefix(fixed.next()?)?, Vec::new());
    let mut fixed = fixed.peekable();
    while let Some(next) = fixed.next() {
        let end = if fixed.peek().is_none() && next.is_empty() { rest.len() } else { rest.find(next)? };
        // The last of the fixed parts ends the text.
        let end = if fixed.peek().is_none() {
            rest.len().checked_sub(next.len()).filter(|at| *at >= end)?
        } else {
            end
        };
        found.push(rest.get(..end).filter(|blank| !blank.is_empty())?);
        rest = rest.get(end..)?.strip_prefix(next)?;
    }
    rest.is_empty().then_some(found)
}

/// The reasons in English, for whoever checks that somebody gives them.
pub fn reasons() -> impl Iterator<Item = (&'static str, &'static str)> {
    REASONS.iter().copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_are_told_in_chinese_blank_by_blank() {
        let told = |text| reason(Language::Chinese, text);
        assert_eq!(told("position: red has no general"), "局面：红方没有将（帅）");
        assert_eq!(told("a8a9 would lose by repetition"), "走 a8a9 会因循环判负");
        assert_eq!(
            told("Hash must be a whole number from 1 to 64, not 'x, y'"),
            "Hash 须为 1 至 64 的整数，而不是“x, y”"
        );
        assert_eq!(told("a: b.pgn: no game is in it"), "a：b.pgn：其中没有对局");
        assert_eq!(
            told("Black: no move within 2 s; a draw wins for Black"),
            "黑方：2 秒内没有走棋；和棋判黑方胜"
        );
        assert_eq!(told("x: No such file or directory (os error 2)"), "x：没有这个文件或目录 (os error 2)");
        assert_eq!(told("no such option: {0}{1}"), "没有这个选项：{0}{1}");
        assert_eq!(
            told("\"go movetime 20\" took 71 ms or more, 3 times in a row"),
            "“go movetime 20”用了 71 毫秒以上，连续 3 次"
        );
        assert_eq!(
            told("exit status: 1; option \"Hash\": a choice holds a blank"),
            "退出状态 1; 选项“Hash”：可选的值里有空格"
        );
        for other in ["", "a: b: c", "the sun shines", "go:", " has no general"] {
            assert_eq!(told(other), other);
        }
        assert_eq!(reason(Language::English, "a search is running"), "a search is running");
    }

    #[test]
    fn reasons_use_all_their_blanks() {
        for (english, chinese) in REASONS.iter().chain(SYSTEM) {
            let count = english.matches("{}").count();
            for at in 0..count {
                assert!(chinese.contains(&format!("{{{at}}}")), "{chinese}");
            }
            assert_eq!(chinese.matches('{').count(), count, "{chinese}");
        }
    }
}
