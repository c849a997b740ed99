"""The subcommands, one module each. May import `reports` and below, which is all but the faces; start with `grade`."""
