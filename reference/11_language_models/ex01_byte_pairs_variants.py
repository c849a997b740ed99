"""Known mistakes and unusual but correct solutions for byte-pair encoding."""


import torch
from ex01_byte_pairs import merge_pair

from torchdojo.variants import alternative, mistake

HINTS = (
    "Do it once by hand for \"abab abab\": write the bytes, count the neighbors, merge, and count again. Each function is one of these steps.",
    "zip(tokens, tokens[1:]) gives all neighbors, and a Counter counts them. A merge that was learned first is applied first. The bytes of a merged "
    "token are those of its left part, then those of its right part.",
    "merge_pair walks with an index that goes on by 2 after a merge, otherwise by 1. train_merges takes min of the counted pairs by the key (minus the count, the "
    "pair). encode_text calls merge_pair once for each merge. decode_text makes a list of 256 single bytes, appends the sum of two pieces for each merge, joins the "
    "pieces of all tokens, and decodes once.",
)
EQUIVALENT = {
    "swap_statements: i += 2": "the two statements don't depend on each other",
    "swap_builtin: tokens, merges = text.encode(), []": "bytes are a sequence of numbers, too",
    "swap_function: return torch.as_tensor(tokens, dtype=torch.int64)": "a list is copied by both",
    'drop_copy: return b"".join(pieces[i] for i in tokens).decode(errors="replace")': "a whole number in a tensor is an index, too",
}

WALK = """
    while i < len(tokens):
        if tuple(tokens[i : i + 2]) == pair:
            result.append(new)
            i += 2
        else:
            result.append(tokens[i])
            i += 1
    return result
"""
BEST = "min(often, key=lambda pair: (-often[pair], pair), default=None)"
LEARN = """
        tokens = merge_pair(tokens, best, 256 + len(merges))
        merges.append(best)
"""
APPLY = """
    for i, pair in enumerate(merges):
        tokens = merge_pair(tokens, pair, 256 + i)
"""
JOIN = 'b"".join(pieces[i] for i in tokens.tolist()).decode(errors="replace")'


loses_the_last_token = mistake.edited("while i < len(tokens):", "while i < len(tokens) - 1:",
    "The last token is lost if it isn't part of a pair: go on to the end of the list.",
    about="a_pair_becomes_one_token", common=True)

goes_on_by_one = mistake.edited("i += 2", "i += 1",
    "The right half of a merged pair is still there: go on by two after a merge.",
    common=True)

overlapping_pairs = mistake.edited(WALK, """
    for left, right in zip(tokens, tokens[1:]):
        if result and result[-1] == new and (left, right) == pair and left == right:
            continue
        result.append(new if (left, right) == pair else left)
        i += 1
    kept, skip = [], False
    for j, token in enumerate(tokens):
        if skip:
            skip = (tuple(tokens[j : j + 2]) == pair)
            continue
        here = tuple(tokens[j : j + 2]) == pair
        kept.append(new if here else token)
        skip = here
    return kept
    """,
    "In a run of the same token the pairs overlap: a token that was merged can't be part of the next pair.",
    about="runs_are_merged_from_the_left")

only_the_first_occurrence = mistake.edited("i += 2", "return [*result, *tokens[i + 2 :]]",
    "Occurrences of the pair behind the first one weren't merged: go on to the end of the tokens.")

from_the_right = mistake.edited("    result, i = [], 0", "    tokens, pair, result, i = tokens[::-1], pair[::-1], [], 0",
    "In a run of three, the last two were merged: go from left to right.",
    also=[("    return result\n", "    return result[::-1]\n")],
    about="runs_are_merged_from_the_left")

either_order = mistake.edited("tuple(tokens[i : i + 2]) == pair", "tuple(tokens[i : i + 2]) in (pair, pair[::-1])",
    "The pair was merged in the other order too: the left token comes first.")

counts_only_once = mistake.edited(
    "        often = Counter(pairwise(tokens))",
    "        if not merges:\n            often = Counter(zip(tokens, tokens[1:]))\n        else:\n            often[best] = 0",
    "All merges are the most frequent pairs of the first tokens: merge the pair in each round, then count the pairs of the new tokens.",
    about="each_round_counts_the_new_tokens", common=True)

the_first_pair_in_a_tie = mistake.edited(BEST, "max(often, key=often.get, default=None)",
    "In a tie you took the pair that comes first in the text: take the smallest pair.",
    about="the_smallest_pair_wins_a_tie", common=True)

the_largest_pair_in_a_tie = mistake.edited(BEST, "max(often, key=lambda pair: (often[pair], pair), default=None)",
    "In a tie you took the largest pair: take the smallest.",
    about="the_smallest_pair_wins_a_tie", common=True)

the_rarest_pair = mistake.edited(BEST, "min(often, key=lambda pair: (often[pair] < 2, often[pair], pair), default=None)",
    "You merged the rarest of the pairs that occur at least twice: take the most frequent one.")

counts_without_overlap = mistake.edited(
    "often = Counter(pairwise(tokens))",
    "often = Counter({p: len(tokens) - len(merge_pair(tokens, p, -1)) for p in dict.fromkeys(zip(tokens, tokens[1:]))})",
    "In a run of the same token, overlapping pairs were counted once: each position counts.")

the_first_id_is_257 = mistake.edited("256 + len(merges)", "257 + len(merges)",
    "In training, the ids of merged tokens begin one too high: the first is 256.",
    about="each_round_counts_the_new_tokens")

merges_do_not_pile_up = mistake.edited("tokens = merge_pair(tokens, best, 256 + len(merges))", "tokens = merge_pair(tokens, best, -1 - len(merges))",
    "The merged tokens have other ids in training than in encode_text: the first is 256.",
    about="each_round_counts_the_new_tokens")

goes_on_without_repetitions = mistake.edited("if often[best] < 2:", "if not often:",
    "Pairs that occur only once were merged: stop if no pair occurs twice.",
    about="training_stops_without_repetitions", common=True)

raises_at_the_end = mistake.edited(BEST, "min(often, key=lambda pair: (-often[pair], pair))",
    "Training raised an error if no pair is left: stop before.",
    about="training_stops_without_repetitions")

code_points = mistake.edited("tokens, merges = list(text.encode()), []", "tokens, merges = [ord(c) for c in text], []",
    "Training began with the codes of characters, as ord gives them: begin with the bytes of text.encode().",
    common=True)

encodes_code_points = mistake.edited("    tokens = list(text.encode())\n", "    tokens = [ord(c) for c in text]\n",
    "encode_text began with the codes of characters, as ord gives them: begin with the bytes of text.encode().")


@mistake("encode_text", about="merges_are_applied_in_their_order", common=True, pitfall="The order of the merges decides")
def from_left_to_right(text, merges):
    """The text decided which merge comes first: apply the merges in their order, each to the whole text."""
    tokens, i = list(text.encode()), 0
    while i < len(tokens) - 1:
        pair = (tokens[i], tokens[i + 1])
        if pair in merges:
            tokens[i : i + 2] = [256 + merges.index(pair)]
            i = max(i - 1, 0)
        else:
            i += 1
    return torch.tensor(tokens, dtype=torch.int64)


@mistake("encode_text", about="merges_are_applied_in_their_order", common=True)
def the_longest_piece_first(text, merges):
    """At each position the longest known piece was taken: apply the merges in their order, each to the whole text."""
    pieces = [bytes([i]) for i in range(256)]
    for left, right in merges:
        pieces.append(pieces[left] + pieces[right])
    rest, tokens = text.encode(), []
    while rest:
        best = max((i for i, piece in enumerate(pieces) if rest.startswith(piece)), key=lambda i: (len(pieces[i]), -i))
        tokens.append(best)
        rest = rest[len(pieces[best]) :]
    return torch.tensor(tokens, dtype=torch.int64)


the_last_merge_first = mistake.edited("for i, pair in enumerate(merges):", "for i, pair in reversed(list(enumerate(merges))):",
    "The merges were applied in reverse order: the first one that was learned comes first.")

an_id_too_high = mistake.edited("tokens = merge_pair(tokens, pair, 256 + i)", "tokens = merge_pair(tokens, pair, 257 + i)",
    "encode_text gives the first merge the id 257: it is 256.")

an_empty_float_tensor = mistake.edited("torch.tensor(tokens, dtype=torch.int64)", "torch.tensor(tokens)",
    "An empty text gives a float32 tensor, as torch.tensor([]) does: name the dtype.",
    about="an_empty_text_has_whole_numbers", common=True)


@mistake("decode_text", common=True, pitfall="The bytes of one character may belong to several tokens")
def each_token_by_itself(tokens, merges):
    """Each token was decoded by itself, so a character whose bytes are in several tokens is lost: join all bytes first, then decode."""
    pieces = [bytes([i]) for i in range(256)]
    for left, right in merges:
        pieces.append(pieces[left] + pieces[right])
    return "".join(pieces[i].decode(errors="replace") for i in tokens.tolist())


characters_of_bytes = mistake.edited(JOIN, JOIN.replace('decode(errors="replace")', 'decode("latin-1")'),
    "Each byte became a character of its own: decode the bytes as UTF-8.")

the_right_part_first = mistake.edited("pieces[left] + pieces[right]", "pieces[right] + pieces[left]",
    "The two parts of a merged token are exchanged: the left one comes first.")

tensors_as_keys = mistake.edited("pieces[i] for i in tokens.tolist()", "dict(enumerate(pieces))[i] for i in tokens",
    "An element of a tensor is a tensor, which a dict doesn't find: make Python numbers first, with tolist().",
    common=True)

strict_decoding = mistake.edited('decode(errors="replace")', "decode()",
    'Bytes that are no UTF-8 raised an error, as in text that a model wrote: decode with errors="replace".',
    about="broken_characters_are_replaced", common=True)

ignores_broken_bytes = mistake.edited('errors="replace"', 'errors="ignore"',
    'Bytes that are no UTF-8 were left out: errors="replace" puts U+FFFD in their place.',
    about="broken_characters_are_replaced")

ignores_later_merges = mistake.edited("pieces.append(pieces[left] + pieces[right])", "pieces.append(bytes([left % 256, right % 256]))",
    "A merged token may consist of merged tokens: look up the bytes of its two parts.")


@alternative("merge_pair")
def changes_a_copy(tokens, pair, new):
    """Slices of a copy are replaced."""
    tokens, i = list(tokens), 0
    while i + 1 < len(tokens):
        if tokens[i] == pair[0] and tokens[i + 1] == pair[1]:
            tokens[i : i + 2] = [new]
        i += 1
    return tokens


@alternative("merge_pair")
def looks_back(tokens, pair, new):
    """The last result decides."""
    result = []
    for token in tokens:
        if result and (result[-1], token) == pair:
            result[-1] = new
        else:
            result.append(token)
    return result


@alternative("encode_text")
def the_lowest_rank_first(text, merges):
    """Of the pairs in the text, the one that was learned first is merged, until none is left."""
    rank = {tuple(pair): i for i, pair in reversed(list(enumerate(merges)))}
    tokens = list(text.encode("utf-8"))
    while True:
        known = [pair for pair in zip(tokens, tokens[1:]) if pair in rank]
        if not known:
            return torch.LongTensor(tokens)
        best = min(known, key=rank.get)
        tokens = merge_pair(tokens, best, 256 + rank[best])


@alternative("train_merges")
def counts_in_a_dict(text, count):
    """A plain dict, and sorted pairs."""
    tokens, merges = list(text.encode("utf-8")), []
    for new in range(256, 256 + count):
        counts = {}
        for i in range(len(tokens) - 1):
            pair = tokens[i], tokens[i + 1]
            counts[pair] = counts.get(pair, 0) + 1
        ranked = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
        if not ranked or ranked[0][1] == 1:
            return merges
        merges.append(ranked[0][0])
        tokens = merge_pair(tokens, ranked[0][0], new)
    return merges


@alternative("decode_text")
def taken_apart(tokens, merges):
    """A stack of tokens, taken apart until bytes are left."""
    found, stack = bytearray(), tokens.flip(0).tolist()
    while stack:
        token = stack.pop()
        if token < 256:
            found.append(token)
        else:
            left, right = merges[token - 256]
            stack += [right, left]
    return found.decode("utf-8", "replace")
