"""Why an answer is wrong: known mistakes, rules, slips, and the message for the learner. May import `judge` and below; start with
`records`, then `message` and `causes`.
"""
