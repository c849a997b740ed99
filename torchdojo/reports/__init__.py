"""A record becomes a text: `one` for a submission, `many` for a class. A module there is a format. May import `classroom` and
below; start with `registry`.
"""
