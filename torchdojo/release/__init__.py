"""Make what leaves the instructor's copy (a student repo, archives for other systems), and prove what is not in it. May import
`notebook` and below; start with `files`, then `proof`.
"""
