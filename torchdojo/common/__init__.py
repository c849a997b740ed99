"""The base of everything else: texts, files, processes, temporary folders. Imports nothing of ours; start with
`plain_text`: every text from outside passes through it.
"""
