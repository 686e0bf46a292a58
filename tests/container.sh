#!/bin/sh
# tests/container.sh PROGRAM KERNEL: the program in a container of 300 MiB under control groups of version 2, in a virtual
# machine, as most machines for tests have version 1. PROGRAM is static (make static), KERNEL a vmlinuz with what it
# needs built in, as that of Debian's linux-image-cloud-amd64. With qemu-system-x86, busybox-static and cpio; no root.
set -eu
program=$1 kernel=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/root/bin" "$work/root/proc" "$work/root/sys" "$work/root/dev"
cp "$(command -v busybox)" "$work/root/bin/busybox"
cp "$program" "$work/root/bin/sanqi"
cat >"$work/root/init" <<'END'
#!/bin/busybox sh
/bin/busybox --install -s /bin
mount -t proc proc /proc; mount -t sysfs sys /sys; mount -t devtmpfs dev /dev; mount -t cgroup2 cg /sys/fs/cgroup
group=/sys/fs/cgroup/box
echo +memory >/sys/fs/cgroup/cgroup.subtree_control
mkdir $group; echo 300M >$group/memory.max
echo
# $1: its name, $2: what is printed, $3: the lines of a session, $4: the protocol
try() {
	{ printf "$3"; sleep 20; echo quit; } | sh -c "echo \$\$ >$group/cgroup.procs; sanqi $4" >/out 2>&1
	code=$?
	if [ $code = 0 ] && grep -q "$2" /out; then echo "passed: $1"; else echo "FAILED: $1 ($code)"; cat /out; fi
}
try 'plays' '^bestmove [a-h]' 'setoption name Hash value 64\ngo depth 8\n' uci
try 'a table that is too large' 'no memory for a table of 1024 MiB' 'setoption name Hash value 1024\nisready\n' uci
try 'plays all the same' '^bestmove [a-h]' 'setoption name Hash value 1024\ngo depth 6\n' uci
try 'too many threads' 'no memory for a table of 16 MiB and 64 threads' 'setoption name Threads value 64\nisready\n' uci
try 'a tree that is too large' '? no memory for a table of 2048 MiB' 'kata-set-param hashMiB 2048\n' gtp
try 'plays Go' '^= [A-J][1-9]' 'boardsize 9\nkata-set-param maxVisits 20\ngenmove b\n' gtp
try 'knows the container' 'memory: 2[0-9][0-9] MiB' '' doctor
if grep -q '^oom_kill 0$' $group/memory.events; then echo 'passed: nothing was killed'; else echo 'FAILED: killed'; fi
poweroff -f
END
chmod +x "$work/root/init"
(cd "$work/root" && find . | cpio -o -H newc 2>/dev/null | gzip -1) >"$work/initrd"
timeout 600 qemu-system-x86_64 -m 3000 -smp 2 -cpu max -nographic -no-reboot -kernel "$kernel" -initrd "$work/initrd" \
	-append 'console=ttyS0 quiet panic=-1' </dev/null | tr -d '\r' | tee "$work/log" | grep -a -A 20 '^passed\|^FAILED'
test "$(grep -a -c '^passed' "$work/log")" = 8
