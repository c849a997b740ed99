#!/usr/bin/env bash
# Run tests with the oldest or the newest versions of the dependencies that pyproject.toml allows:
#   tests/versions.sh oldest|newest [PYTHON] [PYTEST ARGUMENTS...]
# PYTHON is an interpreter (default: python3). Without arguments for pytest, the fast tier runs. The virtual environment is
# temporary. TORCH chooses PyTorch itself (default: the pin in constraints.txt), because its oldest version is a large download:
#   TORCH=2.10.0 tests/versions.sh oldest python3.10
set -euo pipefail
cd "$(dirname "$0")/.."
case "${1:-}" in
oldest | newest) wanted=$1 ;;
*)
  sed -n '2,6s/^# \?//p' "$0" >&2
  exit 2
  ;;
esac
python=${2:-python3}
shift $(($# < 2 ? $# : 2))
torch=${TORCH:-$(sed -n 's/^torch==//p' constraints.txt)}
fresh=$(mktemp -d)
trap 'rm -rf "$fresh"' EXIT
"$python" -m venv "$fresh/venv"

# "click>=8.1; condition" becomes "click~=8.1.0" for the oldest: the first version with all its repairs
"$fresh/venv/bin/python" - "$wanted" "$torch" >"$fresh/constraints.txt" <<'END'
import re
import sys

wanted, torch = sys.argv[1:]
print(f"torch=={torch}")
if wanted == "oldest":
    names = re.findall(r'"([\w-]+)>=([\d.]+)', open("pyproject.toml").read())
    for name, version in names:
        if name not in ("torch", "setuptools"):
            print(f"{name}~={version if version.count('.') > 1 else version + '.0'}")
END
cat "$fresh/constraints.txt"
"$fresh/venv/bin/pip" install -q --upgrade-strategy eager -c "$fresh/constraints.txt" -e '.[dev]'
if [ "$#" -eq 0 ]; then set -- tests -m "not slow" -n auto; fi
"$fresh/venv/bin/python" -m pytest "$@"
