#!/usr/bin/env bash
# Runs once per submission, in the container that image/Dockerfile makes. There is a results.json from the start;
# grading replaces it.
base="${GRADE:-/grade}"
command="${TORCHDOJO:-torchdojo}"
mkdir -p "$base/results"
printf '{"gradable": false, "format_errors": ["Not graded yet: the autograder has not ended. If this stays, please tell your instructor."]}\n' \
    > "$base/results/results.json"
cd "$base/tests/dojo" || exit 1
OMP_NUM_THREADS=1 timeout -k 10 110 "$command" deliver "$base/student" --release "$base/tests/release.json" \
    --format prairielearn --output "$base/results/results.json" --seconds 70
exit 0
