"""Errors that are printed as one line (what was wrong, where, and what to do next), and the exit codes they end with."""

from __future__ import annotations

EXIT_USAGE, EXIT_OURS, EXIT_STOPPED = 2, 3, 130


class UsageError(Exception):
    """Input that cannot be used: one line that says what is wrong, where, and what to do. Exit code 2."""


class AuthorError(Exception):
    """A mistake in a grader, reference or variants file; ends in what to do."""
