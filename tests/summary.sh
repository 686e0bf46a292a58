#!/bin/sh
# The last lines of `make test`: how many tests, how many clients, what was left out and why.
# Arguments: the log of cargo test; the clients' report (see tests/support.rs); a file with the command that installs
# what is missing, if the user has to give it; the folder of Syzygy tables, if any.
set -eu
log=$1 report=$2 missing=$3 tables=$4

# The tests of tables run in a second round, which filters out all others; the first counts them as ignored.
awk '/^test result:/ { passed += $4; failed += $6; ignored += $8; if ($8 == 0 && $12 > 0) ignored -= $4 }
     END { printf "\ntests: %d passed, %d failed, %d left out (make test-long", passed, failed, ignored }' "$log"
if [ -z "$tables" ]; then
    printf '; those of Syzygy tables: make test SYZYGY_PATH=FOLDER'
fi
echo ')'

touch "$report"
# One line a client, however many tests it is used by.
sort -u "$report" | awk -F '\t' '
    $1 == "run" { run++ }
    $1 == "skipped" { skipped++; why = why "  skipped: " $2 ": " $3 "\n" }
    END { printf "clients: %d run, %d skipped\n%s", run, skipped, why }'
if grep -q '^skipped' "$report"; then
    if [ -e "$missing" ]; then cat "$missing"; else echo "note: make tools installs what is missing"; fi
fi
