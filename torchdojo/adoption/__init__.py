"""Make exercises of what an instructor has: a pytest file, doctest examples, an Otter or nbgrader notebook.

`otter` and `nbgrader` read a notebook into one list of `questions`. `conversion` makes a `writer.Draft` of each, with what it
needs of the other cells (`context`); `trial` runs the solutions on their tests. `modules` and `examples` read Python files.
May import `judge` and below; start with `questions`.
"""
