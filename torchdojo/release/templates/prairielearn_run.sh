#!/usr/bin/env bash
# Runs once per submission, in the container that image/Dockerfile makes. Always writes a results.json.
base="${GRADE:-/grade}"
command="${TORCHDOJO:-torchdojo}"
mkdir -p "$base/results"
rm -f "$base/results/results.json"
cd "$base/tests/dojo" || exit 1
OMP_NUM_THREADS=1 timeout -k 10 110 "$command" deliver "$base/student" --release "$base/tests/release.json" \
    --format prairielearn --output "$base/results/results.json" --seconds 70
if [ ! -s "$base/results/results.json" ]; then
    printf '{"gradable": false, "format_errors": ["The autograder failed. This says nothing about your work. Please tell your instructor."]}\n' \
        > "$base/results/results.json"
fi
