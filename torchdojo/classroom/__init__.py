"""Grade a class: read what was handed in, grade it on all cores, keep every result in one file."""
