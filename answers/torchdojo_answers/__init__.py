"""Hidden checks, all hints and the reference solutions of torchdojo's exercises, for somebody who learns alone.

Nothing here is imported by hand: where this package is installed, torchdojo uses it in folders that `torchdojo init` has made.
"""
