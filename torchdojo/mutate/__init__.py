"""Right programs with one slip in them: operators on syntax trees, for `verify`. Start with `slip`, then `mutants`."""
