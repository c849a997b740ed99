"""The errors that a request to a worker can end with."""

from __future__ import annotations


class WorkerGone(Exception):
    """The worker ended while it was asked something: how it ended, in words."""


class WorkerSlow(Exception):
    """The worker did not answer within its time and was killed."""


class WorkerLied(Exception):
    """The worker sent something that is not an answer."""


class StarterGone(Exception):
    """The process that starts workers ended, and its workers with it: an internal error. The next worker gets a new one."""
