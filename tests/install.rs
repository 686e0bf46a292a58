//! What `make install` puts where, and that `make uninstall` takes all of it away again.
#![cfg(unix)]

use crate::support::{engine, program, stderr};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use tempfile::tempdir;

/// Runs a script of `packaging`.
fn script(name: &str, args: &[&str]) -> std::process::Output {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("packaging").join(name);
    program("sh").arg(path).args(args).output().unwrap()
}

fn done(name: &str, args: &[&str]) {
    let output = script(name, args);
    assert!(output.status.success(), "{name} {args:?}: {}", stderr(&output));
}

/// Everything below a folder, by paths from there.
fn below(root: &Path) -> BTreeSet<String> {
    let (mut found, mut folders) = (BTreeSet::new(), vec![root.to_owned()]);
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap().flatten() {
            let path = entry.path();
            found.insert(path.strip_prefix(root).unwrap().to_str().unwrap().to_owned());
            if entry.file_type().unwrap().is_dir() {
                folders.push(path);
            }
        }
    }
    found
}

/// A page below a folder, and each file that a link of it leads to.
fn links(root: &Path, page: &str) -> Vec<(String, PathBuf)> {
    let path = root.join(page);
    let text = std::fs::read_to_string(&path).unwrap();
    let targets = text.split("](").skip(1).filter_map(|behind| behind.split([')', '#']).next());
    let files = targets.filter(|target| !target.is_empty() && !target.contains("://"));
    let resolve = |target: &str| {
        let mut file = path.parent().unwrap().to_owned();
        for part in target.split('/') {
            if part == ".." { _ = file.pop() } else { file.push(part) }
        }
        (page.to_owned(), file)
    };
    files.map(resolve).collect()
}

/// Times and the order of the folder's entries do not reach the archive.
#[test]
fn an_archive_is_the_same_from_every_folder() {
    let folder = tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let files = ["bin/sanqi", "share/sanqi/books/a.epd", "share/doc/sanqi/README.md"];
    let archives = [0, 1].map(|turn| {
        let (stage, out) = (path(&format!("stage{turn}")), path(&format!("out{turn}")));
        for n in 0..files.len() {
            let file = Path::new(&stage).join(files[(n + turn) % files.len()]);
            std::fs::create_dir_all(file.parent().unwrap()).unwrap();
            std::fs::write(&file, files[(n + turn) % files.len()]).unwrap();
            let long_ago =
                std::time::SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(1000 + turn as u64);
            std::fs::File::options().append(true).open(&file).unwrap().set_modified(long_ago).unwrap();
        }
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("packaging/dist.sh");
        let made = program("sh")
            .arg(script)
            .args([&stage, "1.2.3", &out, &format!("{stage}/bin/sanqi")])
            .env("SOURCE_DATE_EPOCH", "1700000000")
            .output()
            .unwrap();
        assert!(made.status.success(), "{}", stderr(&made));
        std::fs::read(format!("{out}/sanqi-1.2.3-linux-x86_64.tar.gz")).unwrap()
    });
    assert!(archives[0] == archives[1]);
}

/// Of each crate that is linked in, the license is passed on.
#[test]
fn licenses_of_others_are_passed_on() {
    let folder = tempdir().unwrap();
    let file = folder.path().join("THIRD-PARTY.txt");
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("packaging/notices.sh");
    let target = format!("{}-unknown-linux-gnu", std::env::consts::ARCH);
    let made = program("sh").arg(script).arg(&file).arg(&target).output().unwrap();
    assert!(made.status.success(), "{}", stderr(&made));
    let text = std::fs::read_to_string(file).unwrap();
    for part in [
        "\ncrossbeam-0.",
        " (MIT OR Apache-2.0)\n",
        "\nvampirc-uci-0.",
        "BSD-3-Clause",
        "Permission is hereby granted",
    ] {
        assert!(text.contains(part), "{part}");
    }
    assert!(!text.contains("\ncriterion-") && !text.contains("has no text of it"), "{text}");
}

#[test]
fn what_is_installed_is_removed_again() {
    let folder = tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (stage, root) = (path("stage"), path("root/usr/local"));
    std::fs::create_dir_all(format!("{root}/bin")).unwrap();
    std::fs::write(format!("{root}/bin/other"), "").unwrap();
    let before = below(folder.path());
    done("stage.sh", &[engine().to_str().unwrap(), &stage]);
    done("install.sh", &["install", &stage, &root]);
    let installed = below(Path::new(&root));
    for file in [
        "bin/sanqi",
        "bin/sanqi-xiangqi",
        "share/man/man1/sanqi.1",
        "share/man/man1/sanqi-match.1",
        "share/man/man1/sanqi-perft.1",
        "share/bash-completion/completions/sanqi",
        "share/zsh/site-functions/_sanqi",
        "share/fish/vendor_completions.d/sanqi.fish",
        "share/sanqi/books/xiangqi.epd",
        "share/doc/sanqi/README.zh.md",
        "share/doc/sanqi/docs/OPTIONS.md",
        "share/doc/sanqi/LICENSE-APACHE",
    ] {
        assert!(installed.contains(file), "{file}: {installed:?}");
    }
    let pages = Path::new(&root).join("share/doc/sanqi");
    for (page, target) in
        below(&pages).iter().filter(|page| page.ends_with(".md")).flat_map(|page| links(&pages, page))
    {
        // Programs lie with their sources.
        let is_source =
            ["nnue", "packaging", "tests"].iter().any(|folder| target.starts_with(pages.join(folder)));
        assert!(is_source || target.exists(), "{page}: {}", target.display());
    }
    let version = program(format!("{root}/bin/sanqi-xiangqi")).arg("--version").output().unwrap();
    assert!(version.status.success(), "{}", stderr(&version));

    // Twice is once, and what a person puts among the books stays.
    done("install.sh", &["install", &stage, &root]);
    assert_eq!(below(Path::new(&root)), installed);
    std::fs::write(format!("{root}/share/sanqi/books/own.epd"), "").unwrap();
    done("install.sh", &["uninstall", &root]);
    let left: BTreeSet<_> = below(Path::new(&root)).into_iter().collect();
    let books =
        ["bin", "bin/other", "share", "share/sanqi", "share/sanqi/books", "share/sanqi/books/own.epd"];
    assert_eq!(left, books.map(str::to_owned).into());
    std::fs::remove_file(format!("{root}/share/sanqi/books/own.epd")).unwrap();

    std::fs::remove_dir_all(format!("{root}/share")).unwrap();
    done("install.sh", &["install", &stage, &root]);
    done("install.sh", &["uninstall", &root]);
    std::fs::remove_dir_all(&stage).unwrap();
    assert_eq!(below(folder.path()), before);
    let again = script("install.sh", &["uninstall", &root]);
    assert_eq!(again.status.code(), Some(1));
}

/// A disk that is full, here a `tar` that fails behind its work: what is there by then can be removed.
#[test]
fn an_installation_that_fails_is_removed_again() {
    let folder = tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    for file in
        ["old/bin/sanqi", "old/share/before/x", "new/bin/sanqi", "new/share/after/x", "root/bin/other"]
    {
        let file = folder.path().join(file);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(&file, "").unwrap();
    }
    let tar = "#!/bin/sh\nPATH=${PATH#*:} tar \"$@\"\ncase $1 in x*) exit 1 ;; esac\n";
    std::fs::create_dir(path("fake")).unwrap();
    std::fs::write(path("fake/tar"), tar).unwrap();
    assert!(program("chmod").args(["+x", &path("fake/tar")]).status().unwrap().success());
    let root = path("root");
    let before = below(Path::new(&root));
    done("install.sh", &["install", &path("old"), &root]);
    let failed = program("sh")
        .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("packaging/install.sh"))
        .args(["install", &path("new"), &root])
        .env("PATH", format!("{}:{}", path("fake"), std::env::var("PATH").unwrap()))
        .output()
        .unwrap();
    assert_eq!(failed.status.code(), Some(1), "{}", stderr(&failed));
    assert!(failed.stdout.is_empty(), "nothing was replaced");
    assert!(below(Path::new(&root)).contains("share/after/x"));
    done("install.sh", &["uninstall", &root]);
    assert_eq!(below(Path::new(&root)), before);
}

#[test]
fn an_installation_that_there_cannot_be_is_refused() {
    let folder = tempdir().unwrap();
    let root = folder.path().to_str().unwrap();
    let nowhere = format!("{root}/nowhere");
    for (args, code) in [
        (&[][..], 2),
        (&["uninstall", ""], 2),
        (&["install", &nowhere, ""], 2),
        (&["install", &nowhere, root], 1),
        (&["uninstall", root], 1),
    ] {
        let output = script("install.sh", args);
        assert_eq!(output.status.code(), Some(code), "{args:?}");
        let printed = stderr(&output);
        assert!(output.stdout.is_empty() && printed.lines().count() == 1, "{args:?}: {printed}");
    }
}

/// Runs the script that installs packages where `dpkg` knows none, with a `sudo` that works, fails or is
/// missing.
fn packages(sudo: Option<&str>, is_root: bool) -> (String, String) {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempdir().unwrap();
    let (bin, log) = (folder.path().join("bin"), folder.path().join("calls"));
    std::fs::create_dir(&bin).unwrap();
    let log = log.display().to_string();
    let stub = |name: &str, body: &str| {
        let path = bin.join(name);
        std::fs::write(&path, format!("#!/bin/sh\n{body}\n")).unwrap();
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).unwrap();
    };
    stub("dpkg", "exit 1");
    stub("id", if is_root { "echo 0" } else { "echo 1000" });
    stub("apt-get", &format!("echo apt-get \"$@\" >>{log}"));
    if let Some(body) = sudo {
        stub("sudo", &body.replace("LOG", &log));
    }
    for tool in ["sh", "sleep", "rm", "mkdir", "touch", "tee", "sed", "dirname", "env"] {
        let found =
            ["/usr/bin", "/bin"].map(|at| Path::new(at).join(tool)).into_iter().find(|path| path.exists());
        std::os::unix::fs::symlink(found.unwrap(), bin.join(tool)).unwrap();
    }
    let tools = folder.path().join("tools");
    let stamp = tools.join("stamp");
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("packaging/packages.sh");
    let mut command = program("sh");
    command.arg(script).arg(&stamp).arg(&tools).args(["gnugo", "xvfb"]).env("PATH", &bin);
    let output = command.stdin(std::process::Stdio::null()).output().unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    let calls = std::fs::read_to_string(&log).unwrap_or_default();
    assert_eq!(stamp.exists(), !calls.is_empty(), "{calls}");
    let printed = String::from_utf8(output.stdout).unwrap();
    assert_eq!(tools.join("missing").exists(), calls.is_empty(), "{printed}");
    (printed, calls)
}

/// Root and those whom sudo lets in get the packages, with fresh lists; all others the line to type.
#[test]
fn packages_are_installed_or_named() {
    let installs = "apt-get update -q\napt-get install -qy --no-install-recommends gnugo xvfb\n";
    let line = "sudo apt-get update && sudo apt-get install gnugo xvfb";
    assert_eq!(packages(None, true).1, installs);
    let runs = "[ \"$1\" = -n ] && shift; \"$@\"";
    assert_eq!(packages(Some(runs), false).1, installs);
    let (printed, calls) = packages(Some("exit 1"), false);
    assert!(printed.contains(line) && calls.is_empty(), "{printed}");
    let (printed, _) = packages(None, false);
    assert!(printed.contains("as root: apt-get update && apt-get install gnugo xvfb"), "{printed}");
}
