"""What the graders of this course share."""

from given.vocabulary import WORDS

TEXTS = [[], ["the"], WORDS, WORDS[::-1], ["dog", "cat", "dog"], ["The", "", "the cat", "mat", "mat"]]
