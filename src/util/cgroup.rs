//! The memory that the control groups of Linux leave to a process: a container has less than its machine.
//!
//! Version 2 has one tree of groups, version 1 one for each kind of resource; both may be mounted at once.
//! Sources: <https://docs.kernel.org/admin-guide/cgroup-v2.html>,
//! <https://docs.kernel.org/admin-guide/cgroup-v1/memory.html>, proc_pid_mountinfo(5).

use std::fs::read_to_string;
use std::path::{Component, Path, PathBuf};

struct Version {
    limit: &'static str,
    usage: &'static str,
    /// The line of `memory.stat` with the bytes of files that were not read lately, of the groups below as
    /// well. The kernel drops them before it refuses memory.
    reclaimable: &'static str,
}

const V1: Version = Version {
    limit: "memory.limit_in_bytes",
    usage: "memory.usage_in_bytes",
    reclaimable: "total_inactive_file ",
};
const V2: Version = Version { limit: "memory.max", usage: "memory.current", reclaimable: "inactive_file " };

/// Bytes that this process can still have within its groups and those around them. `None` where nothing
/// limits it.
///
/// `root` is the folder with `proc`, in which mount points are looked up too: `/`, or one that a test has
/// made.
pub fn available_memory(root: &Path) -> Option<usize> {
    let groups = read_to_string(root.join("proc/self/cgroup")).ok()?;
    let mounts = read_to_string(root.join("proc/self/mountinfo")).ok()?;
    let left = groups.lines().filter_map(|line| {
        let mut fields = line.splitn(3, ':').skip(1);
        let (controllers, group) = (fields.next()?, fields.next()?);
        let version = match controllers {
            "" => V2,
            _ if controllers.split(',').any(|name| name == "memory") => V1,
            _ => return None,
        };
        let (mounted, at) = mounts.lines().find_map(|mount| mount_of(mount, controllers.is_empty()))?;
        // In a namespace the two may have nothing in common: what is mounted is the group itself then.
        let below = Path::new(group).strip_prefix(&mounted).unwrap_or(Path::new(""));
        let is_plain = below.components().all(|part| matches!(part, Component::Normal(_)));
        let below = if is_plain { below } else { Path::new("") };
        let top = root.join(at.strip_prefix("/").unwrap_or(&at));
        below.ancestors().filter_map(|group| left_in(&top.join(group), &version)).min()
    });
    left.min()
}

/// The group that a line of `mountinfo` mounts, and where, if it is of the tree that limits memory in this
/// version.
fn mount_of(line: &str, is_v2: bool) -> Option<(PathBuf, PathBuf)> {
    let (mount, system) = line.split_once(" - ")?;
    let mut system = system.split(' ');
    let kind = system.next()?;
    let mut has_memory =
        || system.nth(1).is_some_and(|options| options.split(',').any(|name| name == "memory"));
    let is_it = if is_v2 { kind == "cgroup2" } else { kind == "cgroup" && has_memory() };
    let mut fields = mount.split(' ').skip(3).map(|path| path.replace("\\040", " ").into());
    is_it.then_some((fields.next()?, fields.next()?))
}

/// Bytes that are left in one group. `None`: it has no limit.
fn left_in(group: &Path, version: &Version) -> Option<usize> {
    let number = |name: &str| read_to_string(group.join(name)).ok()?.trim().parse::<usize>().ok();
    let left = number(version.limit)?.saturating_sub(number(version.usage)?);
    let stat = read_to_string(group.join("memory.stat")).unwrap_or_default();
    let reclaimable = stat.lines().find_map(|line| line.strip_prefix(version.reclaimable)?.parse().ok());
    Some(left.saturating_add(reclaimable.unwrap_or(0)))
}

#[cfg(test)]
mod tests {
    use super::*;

    const MOUNTS_V2: &str = "25 1 0:2 / / rw - ext4 /dev/vda rw\n\
        30 25 0:26 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate\n";
    const MOUNTS_V1: &str = "31 25 0:27 / /sys/fs/cgroup/cpu rw shared:5 - cgroup cgroup rw,cpu,cpuacct\n\
        32 25 0:28 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n";
    const MOUNTS_HYBRID: &str = "32 25 0:28 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n\
        33 25 0:29 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n";
    const MOUNTS_DOCKER_V1: &str =
        "32 25 0:28 /docker/a /sys/fs/cgroup/memory ro - cgroup cgroup rw,memory\n";

    /// What is left under a root with these groups, mounts and files of groups.
    fn left(groups: &str, mounts: &str, files: &[(&str, &str)]) -> Option<usize> {
        let root = tempfile::tempdir().unwrap();
        let put = |name: &str, text: &str| {
            let path = root.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        };
        put("proc/self/cgroup", groups);
        put("proc/self/mountinfo", mounts);
        files.iter().for_each(|(name, text)| put(&format!("sys/fs/cgroup/{name}"), text));
        available_memory(root.path())
    }

    #[test]
    fn the_tightest_group_decides_in_either_version() {
        let v2 = |files: &[(&str, &str)]| left("0::/a/b\n", MOUNTS_V2, files);
        let (limit, usage) = (("a/b/memory.max", "1000\n"), ("a/b/memory.current", "300\n"));
        assert_eq!(v2(&[limit, usage]), Some(700));
        assert_eq!(v2(&[limit, usage, ("a/b/memory.stat", "anon 9\ninactive_file 50\n")]), Some(750));
        assert_eq!(v2(&[limit, ("a/b/memory.current", "1001\n")]), Some(0));
        // A group around it has less.
        let around = [("a/memory.max", "500\n"), ("a/memory.current", "400\n")];
        assert_eq!(v2(&[limit, usage, around[0], around[1]]), Some(100));
        let no_limit = ("a/b/memory.max", "max\n");
        assert_eq!(v2(&[no_limit, usage, around[0], around[1]]), Some(100));
        // No limit, no files, nothing that is a number.
        for files in [&[no_limit, usage][..], &[], &[usage], &[limit], &[("a/b/memory.max", "much"), usage]] {
            assert_eq!(v2(files), None, "{files:?}");
        }

        let v1 = |groups, mounts, files: &[(&str, &str)]| left(groups, mounts, files);
        let files = [
            ("memory/a/memory.limit_in_bytes", "1000\n"),
            ("memory/a/memory.usage_in_bytes", "300\n"),
            ("memory/a/memory.stat", "inactive_file 1\ntotal_inactive_file 20\n"),
            // The root of the tree: no limit, written as a number.
            ("memory/memory.limit_in_bytes", "9223372036854771712\n"),
            ("memory/memory.usage_in_bytes", "5000\n"),
        ];
        assert_eq!(v1("5:cpu,cpuacct:/\n4:memory:/a\n0::/\n", MOUNTS_V1, &files), Some(720));
        // Version 2 is mounted beside it and has no memory in it; or has, and less.
        assert_eq!(v1("4:memory:/a\n0::/x\n", MOUNTS_HYBRID, &files), Some(720));
        let more = [("unified/x/memory.max", "90\n"), ("unified/x/memory.current", "80\n")];
        assert_eq!(v1("4:memory:/a\n0::/x\n", MOUNTS_HYBRID, &[&files[..], &more].concat()), Some(10));
        // A group that is mounted by itself, named from outside or from inside a namespace.
        let own = [("memory/memory.limit_in_bytes", "1000"), ("memory/memory.usage_in_bytes", "1")];
        for groups in ["4:memory:/docker/a\n", "4:memory:/\n", "4:memory:/../b\n"] {
            assert_eq!(v1(groups, MOUNTS_DOCKER_V1, &own), Some(999), "{groups}");
        }
        for (groups, mounts) in [("", ""), ("::\n:\n4:memory", MOUNTS_V1), ("0::/a\n", "- cgroup2\n 1 2 -\n")]
        {
            assert_eq!(v1(groups, mounts, &files), None, "{groups} {mounts}");
        }
    }
}
