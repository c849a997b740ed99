"""Turn what was handed in into files that can be graded: a folder, an archive, a notebook, a class's inbox. Nothing in it is
run here. May import `course` and below; start with `folder`, then `receive`.
"""
