"""Rules of causes: each module looks at one kind of evidence and gives a Cause or None. Start with `values`."""
