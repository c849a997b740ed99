"""A known mistake is told to a file without the code that it names as a comparison."""

from pathlib import Path

import torch

from torchdojo.course.exercise import Dojo
from torchdojo.explain import own_words
from torchdojo.explain.own_names import written
from torchdojo.variants import Variant

ROOT = Path(__file__).resolve().parents[2]


def test_a_known_mistake_that_is_written_in_another_way_is_told_as_a_comparison():
    """is_causal=True is named to a file that has it; a file with tril() that does the same is told so."""
    (exercise,) = Dojo(ROOT).select("10_attention/ex09")

    def body():
        return {"attend": lambda q, k, v: torch.nn.functional.scaled_dot_product_attention(q, k, v, is_causal=True)}

    sentence = "is_causal=True aligns the mask with the first key."
    causal = Variant("mistake", "aligned_with_the_first_key", sentence, (), body)
    has = written(b"def f(q, k, v):\n    return sdpa(q, k, v, is_causal=True)\n")
    other = written(b"def f(q, k, v):\n    return sdpa(q, k, v, attn_mask=torch.ones(2, 3).tril())\n")
    assert own_words.of_variant(exercise, causal, has) == sentence
    assert own_words.of_variant(exercise, causal, None) == sentence
    assert own_words.of_variant(exercise, causal, other) == f"Your code behaves like code with this mistake: {sentence}"
