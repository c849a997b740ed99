"""A record becomes a text: `one` for a submission, `many` for a class. May import `classroom` and below; start with
`one.summary`.
"""
