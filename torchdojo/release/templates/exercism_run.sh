#!/usr/bin/env bash
# bin/run.sh SLUG SOLUTION_FOLDER OUTPUT_FOLDER, as Exercism calls a test runner. Always writes OUTPUT_FOLDER/results.json.
slug="$1"; solution="${2%/}"; results="${3%/}/results.json"
root="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
command="${TORCHDOJO:-torchdojo}"
mkdir -p "$(dirname "$results")"
rm -f "$results"
solution="$(cd "$solution" && pwd)"
results="$(cd "$(dirname "$results")" && pwd)/results.json"
case "$slug" in
    *[!a-z0-9-]* | "") ;;
    *)
        cd "$root/dojo" && OMP_NUM_THREADS=1 timeout -k 10 110 "$command" deliver "$solution" --release "$root/releases/$slug.json" \
            --format exercism --output "$results" --seconds "${LIMIT:-70}"
        ;;
esac
if [ ! -s "$results" ]; then
    printf '{"version": 3, "status": "error", "message": "The test runner failed. This is not about your code.", "tests": []}\n' > "$results"
fi
