"""Why an answer is wrong: known mistakes, rules, and the message for the learner. May import `judge` and below; start with
`records`, then `message` and `causes`.
"""
