"""Is an answer right? Run the checks, ask the oracle, compare. May import `sandbox`, `submission`, `mutate` and below; start with
`session`.
"""
