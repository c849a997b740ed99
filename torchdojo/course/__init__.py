"""What a course consists of: exercises and their files, stubs, lessons, hints, templates. May import `grading` and below; start
with `exercise`.
"""
