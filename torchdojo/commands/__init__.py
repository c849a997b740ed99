"""The subcommands, one module each. May import `reports` and below, which is all but the faces; start with `grade`.

A command imports what it alone needs where it needs it, so that the program itself starts at once."""
