use super::*;

#[test]
fn only_regular_files_within_the_limit_are_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a");
    std::fs::write(&path, b"12345").unwrap();
    assert_eq!(read(&path, 5).unwrap(), b"12345");
    assert_eq!(read(&path, 4).unwrap_err().to_string(), "it is longer than 4 bytes");
    assert_eq!(read(folder.path(), 5).unwrap_err().to_string(), "it is a folder");
    assert_eq!(read(folder.path().join("b"), 5).unwrap_err().kind(), ErrorKind::NotFound);
    if std::path::Path::new("/dev/zero").exists() {
        assert_eq!(read("/dev/zero", 5).unwrap_err().to_string(), "it is not a regular file");
        let mut endless = io::BufReader::new(File::open("/dev/zero").unwrap());
        assert!(read_line(&mut endless, &mut Vec::new()).is_err());
        let append = OpenOptions::new().append(true).clone();
        assert!(open_regular("/dev/null", &append).is_err());
    }
    assert!(open_regular(&path, OpenOptions::new().append(true)).is_ok());
    assert_eq!(read_named(&path).unwrap(), b"12345");
    assert_eq!(read_named_text(&path).unwrap(), "12345");
    assert!(read_named(folder.path()).is_err());
}

#[test]
fn what_others_wrote_is_not_written_to() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a");
    let other = "#!/bin/sh\n";
    std::fs::write(&path, other).unwrap();
    assert!(open_own(&path, "# Ours").unwrap_err().to_string().contains("did not write"));
    assert_eq!(std::fs::read_to_string(&path).unwrap(), other);
    std::fs::write(&path, "\n# Ours\n1\n").unwrap();
    assert_eq!(std::io::read_to_string(open_own(&path, "# Ours").unwrap()).unwrap(), "\n# Ours\n1\n");
    std::fs::write(&path, " ".repeat(MARKED as usize) + "# Ours").unwrap();
    assert!(open_own(&path, "# Ours").is_err());
    for new in ["b", "c"] {
        std::fs::write(folder.path().join("b"), "").unwrap();
        assert!(open_own(folder.path().join(new), "# Ours").is_ok(), "{new}");
    }
}

#[test]
fn a_file_that_is_taken_away_or_cut_while_it_grows_is_noticed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a");
    let open = || {
        let file = File::options().append(true).create(true).open(&path).unwrap();
        AppendFile::new(file, &path).unwrap()
    };
    let add = |file: &mut AppendFile| file.write_all(b"1\n").and_then(|()| file.flush());
    let mut file = open();
    add(&mut file).and_then(|()| add(&mut file)).unwrap();
    std::fs::write(&path, "").unwrap();
    assert_eq!(add(&mut file).unwrap_err().to_string(), "another program has changed it");
    let mut file = open();
    std::fs::remove_file(&path).unwrap();
    let taken_away = |file: &mut AppendFile| add(file).unwrap_err().to_string();
    if crate::util::system::identity(folder.path()).is_some() {
        assert_eq!(taken_away(&mut file), "it was taken away or replaced");
        std::fs::write(&path, "1\n1\n").unwrap();
        assert_eq!(taken_away(&mut file), "it was taken away or replaced");
    }
}

#[test]
fn a_sandbox_has_no_way_out() {
    let folder = tempfile::tempdir().unwrap();
    let (root, other) = (folder.path().join("in"), folder.path().join("in2"));
    std::fs::create_dir_all(root.join("sub")).unwrap();
    std::fs::create_dir(&other).unwrap();
    std::fs::write(other.join("secret"), "x").unwrap();
    std::fs::write(root.join("net"), "x").unwrap();
    let sandbox = Sandbox::new(&root).unwrap();
    let root = root.canonicalize().unwrap();
    let absolute = |path: &Path| path.to_str().unwrap().to_owned();
    for inside in ["net", "new", "sub", "sub/new", "./sub/./new", &absolute(&root.join("net"))] {
        assert!(sandbox.locate(inside).unwrap().starts_with(&root), "{inside}");
    }
    let mut outside = vec![
        "..".to_owned(),
        "../in2/secret".to_owned(),
        "sub/../../in2/secret".to_owned(),
        "/".to_owned(),
        "/etc/passwd".to_owned(),
        "/nowhere/at/all".to_owned(),
        "missing/new".to_owned(),
        absolute(&other.join("secret")),
        absolute(&other.join("missing")),
    ];
    for (name, to) in [("link", other.join("secret")), ("dangling", other.join("new")), ("door", other)] {
        if crate::util::system::link(&to, &root.join(name)) {
            outside.extend([name.to_owned(), format!("{name}/secret")]);
        }
    }
    for path in outside {
        let error = sandbox.locate(&path).unwrap_err();
        assert_eq!(error.to_string(), "it is not in the sandbox", "{path}");
    }
    assert_eq!(Sandbox::default().locate("../x").unwrap(), Path::new("../x"));
    assert!(Sandbox::new(&root.join("net")).is_err() && Sandbox::new(&root.join("missing")).is_err());
}

#[test]
fn what_is_held_belongs_to_one_run() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("net");
    let held = hold(&path).unwrap();
    assert_eq!(hold(&path).unwrap_err().to_string(), "another run is writing it");
    drop(held);
    assert!(hold(&path).is_ok());
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    // A file of that name that somebody wrote stays.
    let own = folder.path().join("Cargo.lock");
    std::fs::write(&own, "precious").unwrap();
    drop(hold(&folder.path().join("Cargo")).unwrap());
    assert_eq!(std::fs::read_to_string(own).unwrap(), "precious");
}

#[test]
fn what_stands_beside_a_file_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name);
    for name in ["a.part", "victim"] {
        std::fs::write(file(name), "precious").unwrap();
    }
    crate::util::system::link(&file("victim"), &file("a.part1"));
    try_to_write(&file("a")).unwrap();
    write_at_once(&file("a"), b"# Ours").unwrap();
    replace_own(&file("a"), "# Ours", |out| out.write_all(b"# Ours 2")).unwrap();
    assert_eq!(std::fs::read(file("a")).unwrap(), b"# Ours 2");
    for name in ["a.part", "victim"] {
        assert_eq!(std::fs::read_to_string(file(name)).unwrap(), "precious");
    }
    assert!(!file("a.part2").exists());
    // What a run that was killed has left is used again.
    std::fs::write(file("a.part2"), "# Ours, half").unwrap();
    std::fs::remove_file(file("a")).unwrap();
    replace_own(&file("a"), "# Ours", |out| out.write_all(b"# Ours 3")).unwrap();
    assert_eq!(std::fs::read(file("a")).unwrap(), b"# Ours 3");
    assert!(!file("a.part2").exists() && !file("a.part3").exists());
}

#[test]
fn what_killed_runs_leave_does_not_pile_up() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name);
    let (old, new) = (b"SANQICKP, version 2, half", b"SANQICKP, version 2, whole");
    for number in 1..=MAX_PARTS {
        std::fs::write(file(&format!("a.part{number}")), old).unwrap();
    }
    std::fs::write(file("a.part"), "precious").unwrap();
    // The writer of the first lives.
    let alive = File::open(file("a.part1")).unwrap();
    alive.try_lock().unwrap();
    write_at_once(&file("a"), new).unwrap();
    assert_eq!(std::fs::read(file("a")).unwrap(), new);
    assert_eq!(std::fs::read(file("a.part")).unwrap(), b"precious");
    assert_eq!(std::fs::read(file("a.part1")).unwrap(), old);
    assert!(!file("a.part2").exists() && file("a.part3").exists());
    write_at_once(&file("empty"), b"").unwrap();
    assert_eq!(std::fs::read(file("empty")).unwrap(), b"");
}

#[test]
fn a_file_system_without_locks_is_no_other_run() {
    let answer = |code| outcome(Err(TryLockError::Error(Error::from_raw_os_error(code))));
    if crate::util::system::IS_LINUX {
        // ENOLCK, ENOSYS, EOPNOTSUPP; EIO.
        for code in [37, 38, 95] {
            assert_eq!(answer(code).unwrap(), Lock::None, "{code}");
        }
        assert_eq!(answer(5).unwrap_err().raw_os_error(), Some(5));
    }
    assert_eq!(outcome(Err(TryLockError::WouldBlock)).unwrap(), Lock::Taken);
    assert_eq!(outcome(Ok(())).unwrap(), Lock::Ours);
}

#[test]
fn what_is_replaced_is_a_file_and_no_link() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name);
    std::fs::write(file("a"), "1").unwrap();
    std::fs::create_dir(file("folder")).unwrap();
    for refused in [write_at_once(&file("folder"), b"2"), try_to_write(&file("folder"))] {
        assert_eq!(refused.unwrap_err().to_string(), "it is a folder");
    }
    if crate::util::system::link(&file("a"), &file("link")) {
        write_at_once(&file("link"), b"2").unwrap();
        assert_eq!(std::fs::read(file("a")).unwrap(), b"2");
        assert!(is_same(&file("a"), &file("link")));
        assert!(write_at_once(Path::new("/dev/null"), b"3").is_err());
        assert!(write_named(Path::new("/dev/null"), b"3").is_ok());
    }
    assert!(is_same(&file("new"), &file("folder/../new")) && !is_same(&file("new"), &file("a")));
    assert!(!is_same(Path::new("/dev/null"), Path::new("/dev/null")));
    std::fs::hard_link(file("a"), file("hard")).unwrap();
    assert!(is_same(&file("a"), &file("hard")) || crate::util::system::identity(&file("a")).is_none());
}

#[test]
fn a_file_that_is_replaced_keeps_its_permissions() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a");
    write_at_once(&path, b"1").unwrap();
    let permissions = || std::fs::metadata(&path).unwrap().permissions();
    let is_private = crate::util::system::make_private(&path);
    let private = permissions();
    write_at_once(&path, b"2").unwrap();
    assert_eq!(permissions(), private);
    assert!(!is_private || std::fs::read(&path).unwrap() == b"2");
}
