"""Why an answer is wrong: known mistakes of the exercise, and symptoms that need no secrets."""
