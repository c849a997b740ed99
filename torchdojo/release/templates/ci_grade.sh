#!/usr/bin/env bash
# Grades class/ (see submissions.sh) into grades/ with the graders of the private repository: grade.sh PRIVATE. No token is needed.
# DUE in the environment is the due date. roster.csv, overrides.csv and by-hand.csv count if PRIVATE holds them.
set -euo pipefail
private=$(cd "$1" && pwd) submissions=$PWD/submissions grades=$PWD/grades
optional() { if [ -f "$private/$1.csv" ]; then echo "$private/$1.csv"; else echo none; fi; }

rm -rf "$submissions" "$grades/feedback" "$grades/by-hand.csv"
mkdir -p "$submissions" "$grades"
cp class/times.csv "$submissions/" && cp class/times.csv "$grades/"
[ ! -f "$private/by-hand.csv" ] || cp "$private/by-hand.csv" "$grades/"
for repository in class/submissions/*.git; do
  GIT_LFS_SKIP_SMUDGE=1 git clone -q "$repository" "$submissions/$(basename "$repository" .git)" # the address of LFS could be any server
done

cd "$private/dojo"
code=0
torchdojo grade "$submissions" --class --out "$grades" @ONLY@ --seed @SEED@ --title "${PREFIX%[-_]}" --due "${DUE:-none}" \
  --roster "$(optional roster)" --overrides "$(optional overrides)" --require-isolation || code=$?
case $code in
  0 | 1) ;;                                                                        # 1: not everybody has full marks
  3) echo "There was an internal error. It costs no student points; see the report." ;;
  *) exit "$code" ;;
esac
torchdojo regrade "$grades" --last > "$grades/changes.txt"
torchdojo report "$grades" --format markdown --output "$grades/feedback"
torchdojo report "$grades" --format record --output "$grades/feedback"
