"""Correct programs with one slip in them: operators on syntax trees, for `verify`.

Start with `slip`, then `mutants`. Important: nothing here runs a program; `verify` does.
"""
