"""`python -m torchdojo`: the command, if no script of that name is on the path."""

import sys

if not getattr(sys.flags, "safe_path", False):  # the current folder: a random.py in it would hide Python's own
    sys.path.append(sys.path.pop(0))

from torchdojo.cli import main

main()
