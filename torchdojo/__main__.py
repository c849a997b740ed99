"""`python -m torchdojo`: the command, where no script of that name is on the path."""

from torchdojo.cli import main

main()
