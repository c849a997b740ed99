"""Grade code that is not part of a course: anybody's attention, optimizer or sampler, unchanged, through an adapter.

May import `explain` and everything below it. Start with `run`, which grades a target under the conventions that are allowed.
`source` reads the target's text, `matching` proposes which argument is which, `adapter` writes the adapter, `stage` lays out
the files. Nothing of the target is imported on the trusted side.
"""
