"""Hidden checks for byte-pair encoding: merges, rounds, ties, order, bytes, and every text comes back."""

import torch

from torchdojo.grading import built, check

CONCEPTS = ("L16",)

KEPT = {
    "every_text_comes_back": "the promise of byte-pair encoding, said by itself",
    "the_smallest_pair_wins_a_tie": "the rule of ties, said by itself",
    "bytes_make_a_text": "decoding, worth points without broken characters",
}


class oracle:
    """Texts of numbers between commas, replaced; every pair counted again; tokens taken apart one merge at a time."""

    def merge_pair(tokens, pair, new):
        result = list(tokens)
        for i in range(len(result) - 1):
            if i + 1 < len(result) and (result[i], result[i + 1]) == tuple(pair):
                result[i : i + 2] = [new]
        return result

    def train_merges(text, count):
        tokens, merges = list(bytes(text, "utf-8")), []
        for new in range(256, 256 + count):
            pairs = [(tokens[i], tokens[i + 1]) for i in range(len(tokens) - 1)]
            most = max((pairs.count(pair) for pair in pairs), default=0)
            if most < 2:
                break
            merges.append(sorted(pair for pair in pairs if pairs.count(pair) == most)[0])
            tokens = oracle.merge_pair(tokens, merges[-1], new)
        return merges

    def encode_text(text, merges):
        tokens = list(bytes(text, "utf-8"))
        for i in range(len(merges)):
            tokens = oracle.merge_pair(tokens, merges[i], 256 + i)
        return torch.tensor(tokens).long()

    def decode_text(tokens, merges):
        numbers = [int(t) for t in tokens]
        for i in reversed(range(len(merges))):
            numbers = [part for t in numbers for part in (merges[i] if t == 256 + i else (t,))]
        return str(bytes(numbers), "utf-8", "replace")


def few(case):
    """Tokens of three kinds, in which every pair occurs, also at the end."""
    kinds = [5, 7, 300]
    return [kinds[case.rng.randrange(3)] for _ in range(9 + case.number % 3)] + [5, 7]


# no ties; in the last one, pairs that overlap decide
CLEAR = ["cat sat mat bat", "banana bandana", "\u00e9\u00e9\u00e9, \u00e8", "ooo-ooo-ooo", "aaa.aaa bcbcbc"]
ROUNDS = [("abababab.abab", 2), ("banana bandana ban", 2), ("mat cat at mat hat at", 3), ("cat cats scat catcat at", 4)]
TIES = ["zazbycyd za yc", "ba.ba,ab;ab", "b1 a2 b1 a2", "xy ab.ab,xy", "mn ab mn ab.xy;xy"]
ENDS = [("abc", 3), ("", 2), ("a", 1), ("ab ba", 2)]

A, B, C, D = b"abcd"
ORDERED = [
    ("abc", [(B, C), (A, B)]),
    ("cabcab", [(A, B), (C, 256)]),
    ("abcbcab", [(C, B), (B, 256), (A, B)]),
    ("abcdabcab", [(A, B), (256, C), (257, D)]),
    ("abcab", [(B, C), (A, 256), (A, B)]),
    ("caba", [(B, A), (A, B), (C, A)]),
]
TEXTS = ["the cat sat on the mat", "na\u00efve caf\u00e9", "\N{SLIGHTLY SMILING FACE}\u4f60\u597d!", "\x00\x7f\u0080\u07ff\uffff"]


@check(points=2, tokens=built(few, axes="n"), pair=[(5, 7), (7, 300), (300, 5)], devices=False)
def a_pair_becomes_one_token(solution, tokens, pair):
    """Each occurrence of a pair becomes the new token, also at the end."""
    return solution.merge_pair(list(tokens), pair, 400)


@check(points=1, tokens=[[7, 7, 7], [7, 7, 7, 7], [1, 7, 7, 7, 7, 7, 2]], devices=False)
def runs_are_merged_from_the_left(solution, tokens):
    """In a run of the same token, pairs are merged from the left and don't overlap."""
    return solution.merge_pair(list(tokens), (7, 7), 256)


@check(points=2, text=CLEAR, devices=False)
def the_most_frequent_pair_is_merged(solution, text):
    """The first merge is the pair that occurs most often."""
    return solution.train_merges(text, 1)


@check(points=2, trained=ROUNDS, devices=False)
def each_round_counts_the_new_tokens(solution, trained):
    """Each later round counts the tokens that the rounds before it made."""
    return solution.train_merges(*trained)


@check(points=1, text=TIES, devices=False)
def the_smallest_pair_wins_a_tie(solution, text):
    """Of several pairs that occur most often, the smallest is merged."""
    return solution.train_merges(text, 1)


@check(points=4, given=ORDERED, devices=False)
def merges_are_applied_in_their_order(solution, given):
    """Earlier merges are applied to the whole text before later ones."""
    text, merges = given
    return solution.encode_text(text, list(merges))


@check(points=2, text=TEXTS, merges=[[], [(97, 116), (195, 169)], [(240, 159), (256, 153), (189, 160), (116, 32)]])
def bytes_make_a_text(solution, text, merges, device):
    """Tokens are taken apart into bytes, and all bytes together become the text."""
    return solution.decode_text(tokens_of(text, merges).to(device), list(merges))


def tokens_of(text, merges):
    """The tokens of a text, made without the solution."""
    tokens = list(text.encode())
    for k, (left, right) in enumerate(merges):
        i = 0
        while i < len(tokens) - 1:
            if tokens[i] == left and tokens[i + 1] == right:
                tokens[i : i + 2] = [256 + k]
            i += 1
    return torch.tensor(tokens, dtype=torch.int64)


@check(points=1, text=TEXTS, count=[0, 3, 12], devices=False)
def every_text_comes_back(solution, text, count):
    """Any text survives encoding and decoding, even with merges from another text."""
    merges = solution.train_merges("the cat sat on the mat, caf\u00e9 caf\u00e9", count)
    tokens = solution.encode_text(text, merges)
    return {"text": solution.decode_text(tokens, merges), "dtype": tokens.dtype}


@check(points=1, star=True, trained=ENDS, devices=False, beside=True)
def training_stops_without_repetitions(solution, trained):
    """Training stops if no pair occurs twice."""
    return solution.train_merges("abab", 1), {"rounds": len(solution.train_merges(*trained))}


@check(points=1, star=True, merges=[[]], devices=False, beside=True)
def an_empty_text_has_whole_numbers(solution, merges):
    """An empty text becomes an empty tensor of int64."""
    return solution.encode_text("cd", list(merges)), {"tokens of an empty text": solution.encode_text("", list(merges))}


@check(points=1, star=True, tokens=[[195], [104, 105, 240, 159], [169, 33], [256, 256, 195]], devices=False)
def broken_characters_are_replaced(solution, tokens):
    """Bytes that are no UTF-8 become the replacement character."""
    return solution.decode_text(torch.tensor(tokens), [(195, 169)])
