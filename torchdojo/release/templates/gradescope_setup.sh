#!/usr/bin/env bash
# Runs once, when Gradescope builds the container image.
set -euo pipefail
export DEBIAN_FRONTEND=noninteractive
apt-get update -q
apt-get install -y -q --no-install-recommends python3 python3-venv
python3 -m venv /opt/torchdojo
/opt/torchdojo/bin/pip install -q --no-cache-dir --extra-index-url https://download.pytorch.org/whl/cpu @REQUIREMENTS@ "/autograder/source/@WHEEL@"
chmod -R go-rwx /autograder/source
