"""The learner's side: visible tests in plain pytest, in the learner's own process."""
