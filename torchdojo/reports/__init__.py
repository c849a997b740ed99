"""Turn records into text: `one` for a submission, `many` for a class. Each module is a format. May import `classroom` and
below; start with `registry`.
"""
