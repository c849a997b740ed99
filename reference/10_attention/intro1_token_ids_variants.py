"""Known mistakes and unusual but correct solutions for vocabulary, encode and decode."""

from torchdojo.variants import alternative, mistake

HINTS = (
    "set(text) has each character once. encode looks characters up in the dict, decode needs the dict the other way round.",
    "sorted(...) makes a list of the set, and enumerate(...) numbers it. A dict with keys and values swapped finds the character of an "
    "id. tolist() makes Python numbers of a tensor.",
    "Make a dict of the numbered, sorted set. For encode, put the id of each character into a list and make a tensor of it. For decode, swap "
    "keys and values of ids, look up each number, and join the characters.",
)
EQUIVALENT = {
    'swap_function: return torch.as_tensor([ids[character] for character in text])': "a list is copied by both",
}


every_character_counts = mistake.edited("sorted(set(text))", "sorted(text)",
    "A character that appears several times uses up several ids: take set(text) first.")

in_order_of_appearance = mistake.edited("sorted(set(text))", "dict.fromkeys(text)",
    "Your ids follow the first appearance in the text: sort the characters.",
    common=True,
    pitfall="A set has no order")

counts_from_one = mistake.edited("enumerate(sorted(set(text)))", "enumerate(sorted(set(text)), start=1)",
    "Your ids begin with 1: the first id is 0.")

in_reverse_order = mistake.edited("sorted(set(text))", "sorted(set(text), reverse=True)",
    "Your ids are in reverse order: the first character in sorted order has 0.")

ids_as_floats = mistake.edited("[ids[character] for character in text]", "[float(ids[character]) for character in text]",
    "Your ids are floats: an index is int64.",
    common=True)

code_points = mistake.edited("[ids[character] for character in text]", "[ord(character) for character in text]",
    "You returned the numbers that characters have in Unicode: look them up in ids.")

without_repetitions = mistake.edited("[ids[character] for character in text]", "[ids[character] for character in dict.fromkeys(text)]",
    "Each character is encoded once: encode all characters of the text, in their order.")

the_position_in_the_dict = mistake.edited("characters = {i: character for character, i in ids.items()}", "characters = list(ids)",
    "You use the id as a position in the dict: look for the character that has this id.")

backwards = mistake.edited("tokens.tolist()", "tokens.flip(0).tolist()",
    "Your text is reversed: the first token is its first character.")

with_spaces = mistake.edited('"".join', '" ".join',
    "You put spaces between the characters: join them with an empty string.")

counts_repetitions = mistake.edited(
    "enumerate(sorted(set(text)))",
    "((sorted(text).index(c), c) for c in text)",
    "A character that appears several times uses up several ids: take set(text) first.",
)

ids_to_characters = mistake.edited(
    "{character: i for",
    "{i: character for",
    "Your dict leads from ids to characters: the characters are its keys.",
)

looks_up_ids_in_ids = mistake.edited(
    "characters = {i: character for character, i in ids.items()}",
    "characters = ids",
    "A dict whose keys are characters doesn't find a number: make a dict with the keys and values of ids swapped.",
)

tensors_as_keys = mistake.edited(
    "for i in tokens.tolist()",
    "for i in tokens",
    "An element of a tensor is a tensor, which a dict doesn't find: make Python numbers first, with tolist().",
    pitfall="An element of a tensor is a tensor",
)

a_list_of_characters = mistake.edited(
    '"".join(characters[i] for i in tokens.tolist())',
    "[characters[i] for i in tokens.tolist()]",
    "You returned a list of characters: join them into one string.",
)

a_list_of_ids = mistake.edited(
    "return torch.tensor([ids[character] for character in text])",
    "return [ids[character] for character in text]",
    "You returned a list: make a tensor of it.",
)


@alternative("vocabulary")
def one_by_one(text):
    """The dict grows, one character at a time."""
    ids = {}
    for character in sorted(text):
        if character not in ids:
            ids[character] = len(ids)
    return ids


mapped = alternative.edited("[ids[character] for character in text]", "list(map(ids.get, text))",
    "The method of the dict, for each character.")


@alternative("decode")
def looks_through_the_dict(tokens, ids):
    """The keys and the values as two lists."""
    names, numbers = list(ids), list(ids.values())
    text = ""
    for t in tokens:
        text += names[numbers.index(int(t))]
    return text
