//! Everything that differs between operating systems. No other file asks which one it is compiled for.
//!
//! Linux, macOS and the other Unixes share one implementation; Windows has its own.

use cpu_time::ProcessTime;
use memmap2::MmapMut;
use std::borrow::Cow;
use std::path::PathBuf;
use std::process::{Child, Command};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

#[cfg(unix)]
use unix as family;
#[cfg(windows)]
use windows as family;

/// A process together with every process that it starts, so that all of them can be ended at once.
///
/// An engine behind a script is two processes, and the standard library kills only the first.
pub struct ProcessTree(family::ProcessTree);

impl ProcessTree {
    /// Starts `command` as a tree of its own, which the terminal's Ctrl-C does not reach.
    pub fn spawn(command: &mut Command) -> std::io::Result<(Child, Self)> {
        let (child, tree) = family::ProcessTree::spawn(command)?;
        Ok((child, Self(tree)))
    }

    /// Kills what is left of the tree when its first process has just ended.
    pub fn kill_rest(&self) {
        self.0.kill();
    }

    /// Kills all processes of the tree whose first process is `child`, which has not been waited for.
    pub fn kill(&self, child: &mut Child) {
        if !self.0.kill() {
            // The system refused. Ending the first process is better than ending none.
            let _ = child.kill();
        }
    }
}

/// Has a signal that ends this program end all the trees that it has started, too. Where there is no handler
/// for it, it ends the program as it ends any.
pub fn end_trees_with_this_program() {
    let _ = ctrlc::set_handler(interrupted);
}

/// Remembers how the terminal at standard input is set, for a signal that comes while a line is edited.
pub fn remember_terminal() {
    family::remember_terminal();
}

/// Leaves the terminal as [`remember_terminal`] found it.
pub fn restore_terminal() {
    family::restore_terminal();
}

/// Ends all process trees and exits with the code of an interrupted program, after restoring the terminal.
pub fn interrupted() {
    family::kill_all();
    family::restore_terminal();
    std::process::exit(130);
}

/// Whether the calls of the system are those of Linux.
pub const IS_LINUX: bool = cfg!(target_os = "linux");

/// What the processor calls itself. `None` where it is unknown.
#[cfg(target_arch = "x86_64")]
pub fn processor() -> Option<String> {
    let brand = raw_cpuid::CpuId::new().get_processor_brand_string()?;
    Some(brand.as_str().trim().to_owned()).filter(|name| !name.is_empty())
}

/// What the processor calls itself. `None` where it is unknown.
#[cfg(not(target_arch = "x86_64"))]
pub fn processor() -> Option<String> {
    None
}

/// The name of an instruction set that this build uses and the processor lacks: the first such instruction
/// would kill the program.
#[cfg(target_arch = "x86_64")]
pub fn missing_instructions() -> Option<&'static str> {
    // The macro that detects features takes the compiler's word for them.
    let cpu = raw_cpuid::CpuId::new();
    let (old, new) = (cpu.get_feature_info()?, cpu.get_extended_feature_info());
    let has_new = |test: fn(&raw_cpuid::ExtendedFeatures) -> bool| new.as_ref().is_some_and(test);
    let needed = [
        (cfg!(target_feature = "ssse3"), old.has_ssse3(), "SSSE3"),
        (cfg!(target_feature = "sse4.2"), old.has_sse42(), "SSE4.2"),
        (cfg!(target_feature = "popcnt"), old.has_popcnt(), "POPCNT"),
        (cfg!(target_feature = "avx2"), has_new(|f| f.has_avx2()), "AVX2"),
        (cfg!(target_feature = "bmi2"), has_new(|f| f.has_bmi2()), "BMI2"),
        (cfg!(target_feature = "avx512f"), has_new(|f| f.has_avx512f()), "AVX-512"),
    ];
    needed.into_iter().find_map(|(is_needed, is_there, name)| (is_needed && !is_there).then_some(name))
}

/// Instructions that this processor lacks. Other processors all have what the compiler uses.
#[cfg(not(target_arch = "x86_64"))]
pub fn missing_instructions() -> Option<&'static str> {
    None
}

/// Processor time that this process has used, all threads together. `None` where the system does not know.
pub fn cpu_time() -> Option<Duration> {
    Some(ProcessTime::try_now().ok()?.as_duration())
}

/// Bytes that this process can still have without any being pushed out, on the machine and in its container.
/// Only Linux has this figure.
pub fn available_memory() -> Option<usize> {
    let of_machine = || {
        let text = std::fs::read_to_string("/proc/meminfo").ok()?;
        let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
        line.split_whitespace().next()?.parse::<usize>().ok()?.checked_mul(1024)
    };
    of_machine().into_iter().chain(super::cgroup::available_memory(std::path::Path::new("/"))).min()
}

/// When the system gives huge pages: `always`, `madvise` (to programs that ask, as this one does) or `never`.
/// Only Linux reports it.
pub fn huge_pages() -> Option<String> {
    let text = std::fs::read_to_string("/sys/kernel/mm/transparent_hugepage/enabled").ok()?;
    Some(text.split_once('[')?.1.split_once(']')?.0.to_owned())
}

/// Where a person's own settings of programs are: `%APPDATA%`, or `$XDG_CONFIG_HOME` and `~/.config` where
/// that is none. Sources: the XDG Base Directory Specification, which has relative paths ignored; Microsoft's
/// known folders.
pub fn config_folder() -> Option<PathBuf> {
    if cfg!(windows) { absolute("APPDATA") } else { xdg_folder("XDG_CONFIG_HOME", ".config") }
}

/// Where programs keep what they note by themselves: `%LOCALAPPDATA%`, or `$XDG_STATE_HOME` and
/// `~/.local/state`.
pub fn state_folder() -> Option<PathBuf> {
    if cfg!(windows) { absolute("LOCALAPPDATA") } else { xdg_folder("XDG_STATE_HOME", ".local/state") }
}

/// Where programs keep what a person has made with them: `%LOCALAPPDATA%`, or `$XDG_DATA_HOME` and
/// `~/.local/share`.
pub fn data_folder() -> Option<PathBuf> {
    if cfg!(windows) { absolute("LOCALAPPDATA") } else { xdg_folder("XDG_DATA_HOME", ".local/share") }
}

/// Unpredictable bytes, for tokens and salts.
pub fn random() -> std::io::Result<[u8; 16]> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(|why| std::io::Error::other(why.to_string()))?;
    Ok(bytes)
}

/// Makes a folder, with those above it where they are missing. Only its owner may look into a new one, where
/// there are permissions.
pub fn make_private_folder(path: &std::path::Path) -> std::io::Result<()> {
    let mut builder = std::fs::DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.recursive(true).create(path)
}

/// The folder that a variable of the environment names, if it is absolute.
fn absolute(variable: &str) -> Option<PathBuf> {
    std::env::var_os(variable).map(PathBuf::from).filter(|path| path.is_absolute())
}

/// The same, or this folder of the person's own.
fn xdg_folder(variable: &str, usual: &str) -> Option<PathBuf> {
    absolute(variable).or_else(|| Some(absolute("HOME")?.join(usual)))
}

/// Shows an address in the person's browser. False: no program for it could be started.
pub fn open_in_browser(url: &str) -> bool {
    let mut command = if cfg!(windows) {
        Command::new("explorer")
    } else if cfg!(target_os = "macos") {
        Command::new("open")
    } else {
        Command::new("xdg-open")
    };
    let silent = || std::process::Stdio::null();
    command.arg(url).stdin(silent()).stdout(silent()).stderr(silent()).spawn().is_ok()
}

/// Asks for huge pages. Where there are none, nothing happens.
pub fn prefer_huge_pages(memory: &MmapMut) {
    #[cfg(all(target_os = "linux", not(miri)))]
    // A kernel without huge pages refuses, and nothing is lost. Miri does not have this call.
    let _ = memory.advise(memmap2::Advice::HugePage);
    #[cfg(not(all(target_os = "linux", not(miri))))]
    let _ = memory;
}

/// What separates paths in lists of them: the system's own character, and the one that lists of books have
/// everywhere.
pub const LIST_SEPARATORS: &[char] = if cfg!(windows) { &[';'] } else { &[';', ':'] };

/// Whether remarks are written: a program asks for it, a test hears nothing.
static REMARKS: AtomicBool = AtomicBool::new(false);

/// Writes remarks from now on.
pub fn show_remarks() {
    REMARKS.store(true, Relaxed);
}

/// Writes a line to standard error, if remarks are written.
pub fn write_remark(text: std::fmt::Arguments<'_>) {
    use std::io::Write;
    if REMARKS.load(Relaxed) {
        let _ = writeln!(std::io::stderr(), "{}", plain(&text.to_string()));
    }
}

/// A text without what could steer a terminal: of control characters, line ends and tabs stay, and colors.
/// Names and comments in records are untrusted.
pub fn plain(text: &str) -> Cow<'_, str> {
    let steers = |c: char| c.is_control() && !matches!(c, '\n' | '\t');
    if !text.contains(steers) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(steers) {
        let (before, from) = rest.split_at(at);
        out.push_str(before);
        let length = color(from).or_else(|| from.starts_with("\r\n").then_some(2));
        match length {
            Some(length) => out.push_str(from.get(..length).unwrap_or_default()),
            None => out.push('\u{FFFD}'),
        }
        let length = length.or_else(|| from.chars().next().map(char::len_utf8)).unwrap_or(from.len());
        rest = from.get(length..).unwrap_or_default();
    }
    out.push_str(rest);
    Cow::Owned(out)
}

/// Bytes of the sequence that sets a color at the start of a text.
fn color(text: &str) -> Option<usize> {
    let numbers = text.strip_prefix("\x1b[")?;
    let end = numbers.find(|c: char| !c.is_ascii_digit() && c != ';')?;
    numbers.get(end..)?.starts_with('m').then(|| end.saturating_add(3))
}

/// Writes a formatted line to standard error, for a person. One who closed it does not want to know:
/// `eprintln!` ends the program then.
macro_rules! remark {
    ($($argument:tt)*) => {
        $crate::util::system::write_remark(format_args!($($argument)*))
    };
}
pub(crate) use remark;

/// Whether standard output was closed when the program started. Known on Linux only.
///
/// The standard library then opens the null device in its place, before `main`, and writing there seems to
/// succeed.
pub fn stdout_was_closed() -> bool {
    #[cfg(target_os = "linux")]
    return at_start::STDOUT_WAS_CLOSED.load(std::sync::atomic::Ordering::Relaxed);
    #[cfg(not(target_os = "linux"))]
    false
}

/// Whether a short line can be written to standard output without waiting for its reader. True where the
/// system does not report it.
pub fn stdout_has_room() -> bool {
    #[cfg(unix)]
    {
        use rustix::event::{PollFd, PollFlags, Timespec, poll};
        poll(&mut [PollFd::new(&rustix::stdio::stdout(), PollFlags::OUT)], Some(&Timespec::default()))
            != Ok(0)
    }
    #[cfg(not(unix))]
    true
}

/// Whether standard input is a file, and neither a client nor a person.
pub fn stdin_is_file() -> bool {
    #[cfg(unix)]
    let stdin = std::os::fd::AsFd::as_fd(&std::io::stdin()).try_clone_to_owned();
    #[cfg(windows)]
    let stdin = std::os::windows::io::AsHandle::as_handle(&std::io::stdin()).try_clone_to_owned();
    stdin.and_then(|stdin| std::fs::File::from(stdin).metadata()).is_ok_and(|found| found.is_file())
}

/// Waits until the client has closed its end of standard input, whether what it sent has been read or not.
/// Where the system does not report that, and for a file, this waits for ever.
pub fn wait_for_end_of_input() {
    #[cfg(unix)]
    {
        use rustix::event::{PollFd, PollFlags, poll};
        #[cfg(target_os = "linux")]
        let ends = PollFlags::RDHUP;
        #[cfg(not(target_os = "linux"))]
        let ends = PollFlags::empty();
        let stdin = std::io::stdin();
        if rustix::io::retry_on_intr(|| poll(&mut [PollFd::new(&stdin, ends)], None)).is_ok() {
            return;
        }
    }
    loop {
        std::thread::park();
    }
}

/// Has memory in large pieces go back to the system when it is freed. Called once, when the program starts.
///
/// The C library of GNU raises its limit for these pieces with each one that is freed, and keeps those below
/// it: a process that had three threads for a while would keep the tables of all of them. A limit that is set
/// once does not rise. It also sets 64 MiB of addresses aside for each thread, which is done without where
/// addresses are limited (`ulimit -v`). <https://man7.org/linux/man-pages/man3/mallopt.3.html>
#[allow(unsafe_code)]
pub fn set_up_allocator() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    {
        let addresses = rustix::process::getrlimit(rustix::process::Resource::As).current;
        // SAFETY: it sets numbers of the allocator, under the allocator's lock.
        unsafe {
            libc::mallopt(libc::M_MMAP_THRESHOLD, LARGE_PIECE);
            if addresses.is_some() {
                libc::mallopt(libc::M_ARENA_MAX, 1);
            }
        }
    }
}

/// Bytes from which a piece of memory is mapped by itself: the limit that the C library begins with.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
const LARGE_PIECE: i32 = 128 << 10;

/// What is looked at before the standard library begins its work.
#[cfg(target_os = "linux")]
mod at_start {
    use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

    pub static STDOUT_WAS_CLOSED: AtomicBool = AtomicBool::new(false);

    extern "C" fn look() {
        let closed = rustix::io::fcntl_getfd(rustix::stdio::stdout()).is_err();
        STDOUT_WAS_CLOSED.store(closed, Relaxed);
    }

    // SAFETY: the section holds pointers to functions that the loader calls once, before any thread of ours
    // runs. `look` is one: it makes a system call and stores into an atomic, and needs nothing of the
    // standard library.
    #[allow(unsafe_code)]
    #[used]
    #[unsafe(link_section = ".init_array")]
    static LOOK: extern "C" fn() = look;
}

/// Whether an attempt to lock a file failed because its file system has no locks, as some shared ones of
/// clusters: `EOPNOTSUPP`, `ENOSYS`, `ENOLCK`.
pub fn has_no_locks(error: &std::io::Error) -> bool {
    #[cfg(unix)]
    let is_no_lock = error.raw_os_error() == Some(rustix::io::Errno::NOLCK.raw_os_error());
    #[cfg(not(unix))]
    let is_no_lock = false;
    is_no_lock || error.kind() == std::io::ErrorKind::Unsupported
}

/// Whether an open file is the one that stands at `path`, and not one that was taken away. Where that is
/// unknown, it is.
pub fn is_at(file: &std::fs::File, path: &std::path::Path) -> bool {
    file.metadata().ok().and_then(|found| identity_of(&found)) == identity(path)
}

/// The identity of the file at `path`, whatever its names. `None` where nothing is, or it has none.
pub fn identity(path: &std::path::Path) -> Option<(u64, u64)> {
    identity_of(&path.metadata().ok()?)
}

fn identity_of(found: &std::fs::Metadata) -> Option<(u64, u64)> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        Some((found.dev(), found.ino()))
    }
    #[cfg(not(unix))]
    {
        let _ = found;
        None
    }
}

/// Makes a file readable by its owner only. False where there are no permissions of this kind.
#[cfg(test)]
pub fn make_private(path: &std::path::Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o600)).is_ok()
    }
    #[cfg(not(unix))]
    {
        let _ = path;
        false
    }
}

/// Makes a symbolic link at `at` that leads to `to`. False where there are none.
#[cfg(test)]
pub fn link(to: &std::path::Path, at: &std::path::Path) -> bool {
    #[cfg(unix)]
    return std::os::unix::fs::symlink(to, at).is_ok();
    #[cfg(not(unix))]
    false
}

#[cfg(unix)]
mod unix {
    use crate::util::sync::lock;
    use rustix::process::{Pid, Signal, kill_process_group};
    use rustix::termios::{OptionalActions, Termios, tcgetattr, tcsetattr};
    use std::io;
    use std::os::unix::process::CommandExt;
    use std::process::{Child, Command};
    use std::sync::{Mutex, OnceLock};

    /// How the terminal was set before lines were edited.
    static TERMINAL: OnceLock<Termios> = OnceLock::new();

    pub fn remember_terminal() {
        if let Ok(mode) = tcgetattr(rustix::stdio::stdin()) {
            let _ = TERMINAL.set(mode);
        }
    }

    pub fn restore_terminal() {
        if let Some(mode) = TERMINAL.get() {
            let _ = tcsetattr(rustix::stdio::stdin(), OptionalActions::Now, mode);
        }
    }

    /// The process group, whose number is that of its first process.
    pub struct ProcessTree(Pid);

    static RUNNING: Mutex<Vec<Pid>> = Mutex::new(Vec::new());

    /// Kills all processes of all trees. No tree is started any more: the program is about to end.
    pub fn kill_all() {
        let running = lock(&RUNNING);
        for group in running.iter() {
            let _ = kill_process_group(*group, Signal::KILL);
        }
        std::mem::forget(running);
    }

    impl Drop for ProcessTree {
        fn drop(&mut self) {
            lock(&RUNNING).retain(|group| *group != self.0);
        }
    }

    impl ProcessTree {
        pub fn spawn(command: &mut Command) -> io::Result<(Child, Self)> {
            // Held meanwhile: a tree that is started while all are killed would live.
            let mut running = lock(&RUNNING);
            let child = command.process_group(0).spawn()?;
            let group = Pid::from_child(&child);
            running.push(group);
            Ok((child, Self(group)))
        }

        /// Whether the system did it.
        pub fn kill(&self) -> bool {
            kill_process_group(self.0, Signal::KILL).is_ok()
        }
    }
}

#[cfg(windows)]
mod windows {
    use std::io;
    use std::os::windows::io::AsRawHandle;
    use std::os::windows::process::CommandExt;
    use std::process::{Child, Command};
    use std::sync::Mutex;
    use win32job::{ExtendedLimitInfo, Job};

    /// `CREATE_NEW_PROCESS_GROUP`: Ctrl-C goes to the manager only.
    /// <https://learn.microsoft.com/en-us/windows/win32/procthread/process-creation-flags>
    const NEW_PROCESS_GROUP: u32 = 0x200;

    /// Windows closes the jobs of a program that ends.
    pub const fn kill_all() {}

    /// A shell of Windows sets its console itself.
    pub const fn remember_terminal() {}

    pub const fn restore_terminal() {}

    /// A job object. Closing its handle ends every process in it, so the engines end with the manager even
    /// when the manager is killed. `None` once it is closed.
    pub struct ProcessTree(Mutex<Option<Job>>);

    impl ProcessTree {
        pub fn spawn(command: &mut Command) -> io::Result<(Child, Self)> {
            let job = Job::create_with_limit_info(ExtendedLimitInfo::new().limit_kill_on_job_close())
                .map_err(io::Error::other)?;
            let mut child = command.creation_flags(NEW_PROCESS_GROUP).spawn()?;
            // What the child starts from here on is in the job too.
            if let Err(error) = job.assign_process(child.as_raw_handle() as isize) {
                // A process that has ended already cannot be assigned, and needs no job.
                if child.try_wait()?.is_none() {
                    child.kill()?;
                    child.wait()?;
                    return Err(io::Error::other(error));
                }
            }
            Ok((child, Self(Mutex::new(Some(job)))))
        }

        /// Whether there was anything to close.
        pub fn kill(&self) -> bool {
            self.0.lock().is_ok_and(|mut job| job.take().is_some())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::hint::black_box;
    use std::io::{BufRead, BufReader, Read};
    use std::process::Stdio;
    use std::time::Instant;

    #[test]
    fn texts_cannot_steer_a_terminal() {
        for harmless in ["", "兵\tA\n", "a\r\nb", "\x1b[1;31mred\x1b[0m", "\x1b[m"] {
            assert_eq!(plain(harmless), harmless);
        }
        for (text, shown) in [
            ("\x1b]0;title\x07", "\u{FFFD}]0;title\u{FFFD}"),
            ("a\x1bcb", "a\u{FFFD}cb"),
            ("\x1b[2J", "\u{FFFD}[2J"),
            ("\u{9b}31m\r", "\u{FFFD}31m\u{FFFD}"),
            ("\x1b[", "\u{FFFD}["),
        ] {
            assert_eq!(plain(text), shown);
        }
    }

    #[test]
    fn processor_time_grows_with_work() {
        let before = cpu_time().unwrap();
        let began = Instant::now();
        let mut sum = 0u64;
        while cpu_time().is_some_and(|now| now < before + Duration::from_millis(20)) {
            sum = (0..1000).fold(sum, |sum, n| black_box(sum ^ n));
            assert!(began.elapsed() < Duration::from_secs(20), "no time passed: {sum}");
        }
    }

    /// The output of a tree stays open as long as any of its processes lives.
    #[test]
    fn the_whole_tree_is_killed() {
        let (shell, script) = match cfg!(windows) {
            true => (["cmd", "/c"], "echo started & ping -n 60 127.0.0.1"),
            false => (["sh", "-c"], "echo started; sleep 60; echo ended"),
        };
        let mut command = Command::new(shell[0]);
        command.args([shell[1], script]).stdout(Stdio::piped());
        let (mut child, tree) = ProcessTree::spawn(&mut command).unwrap();
        let mut output = BufReader::new(child.stdout.take().unwrap());
        let mut line = String::new();
        output.read_line(&mut line).unwrap();
        assert_eq!(line.trim(), "started");
        let began = Instant::now();
        tree.kill(&mut child);
        child.wait().unwrap();
        let mut rest = Vec::new();
        output.read_to_end(&mut rest).unwrap();
        assert!(began.elapsed() < Duration::from_secs(20), "a process lived on");
    }

    #[test]
    fn free_memory_is_known_on_linux() {
        assert_eq!(available_memory().is_some_and(|bytes| bytes > 1 << 20), cfg!(target_os = "linux"));
    }
}
