#!/usr/bin/env bash
# bin/run.sh SLUG SOLUTION_FOLDER OUTPUT_FOLDER, as Exercism calls a test runner. There is an OUTPUT_FOLDER/results.json
# from the start; grading replaces it.
slug="$1"; solution="${2%/}"; results="${3%/}/results.json"
root="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
command="${TORCHDOJO:-torchdojo}"
mkdir -p "$(dirname "$results")"
printf '{"version": 3, "status": "error", "message": "Not graded: the test runner has not ended.", "tests": []}\n' > "$results"
solution="$(cd "$solution" && pwd)"
results="$(cd "$(dirname "$results")" && pwd)/results.json"
case "$slug" in
    *[!a-z0-9-]* | "") ;;
    *)
        cd "$root/dojo" && OMP_NUM_THREADS=1 timeout -k 10 110 "$command" deliver "$solution" --release "$root/releases/$slug.json" \
            --format exercism --output "$results" --seconds "${LIMIT:-70}"
        ;;
esac
exit 0
