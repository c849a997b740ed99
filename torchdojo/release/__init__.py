"""Create what leaves the instructor's copy (a student repo, archives for other systems), and check that it has no secrets. May
import `notebook` and below; start with `files`, then `proof`.
"""
