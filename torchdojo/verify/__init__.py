"""Test that every hidden grader accepts right work and rejects wrong work. May import `explain` and below; start with
`prove`.
"""
