"""The bank of public code: what is checked as what, through which adapter, and bugs that are planted in it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Case:
    """A target in bank/, the exercise, what is allowed, the adapter (one is proposed if it is empty)."""

    target: str
    exercise: str
    allow: tuple[str, ...] = ()
    adapter: str = ""


@dataclass(frozen=True)
class Bug:
    """A change of the text of a case's file that makes it wrong."""

    case: str
    old: str
    new: str


HEADS = """
from lecture import MultiHeadAttention
from torchdojo_adapter import Borrowed, not_asked

class SelfAttention(Borrowed):
    def __init__(self, width, heads):
        qkv = [f"heads.{h}.{part}" for part in ("query", "key", "value") for h in range(heads)]
        super().__init__(MultiHeadAttention(width, heads), qkv=qkv, out="proj")
    def forward(self, x, mask=None):
        return self.run(x) if mask is None else not_asked("it takes no mask")
"""
LLAMA = """
from complex_rope import apply_rotary_emb, precompute_freqs_cis
from torchdojo_adapter import on_time_heads

def rotate(x, positions, base=10000.0):
    freqs = precompute_freqs_cis(x.shape[-1], 2048, base).to(x.device)[positions]
    return on_time_heads(lambda q: apply_rotary_emb(q, q, freqs)[0], x)
"""
FOUR = """
from annotated import MultiHeadedAttention
from torchdojo_adapter import Borrowed

class SelfAttention(Borrowed):
    def __init__(self, width, heads):
        layers = [f"linears.{n}" for n in range(4)]
        super().__init__(MultiHeadedAttention(heads, width, dropout=0.0), qkv=layers[:3], out=layers[3])
    def forward(self, x, mask=None):
        return self.run(x, x, x, mask if mask is None or mask.dim() == 3 else mask[None])
"""
FILTER = """
from halves_rope import top_k_top_p_filtering

def token_probabilities(logits, temperature=1.0, top_k=None, top_p=None):
    logits = top_k_top_p_filtering(logits / temperature, top_k or 0, 1.0 if top_p is None else top_p)
    return logits.softmax(-1)
"""

CASES = {
    "nano attention": Case("config_gpt.py:CausalSelfAttention", "10_attention/ex05_self_attention", ("causal",)),
    "nano norm": Case("config_gpt.py:LayerNorm", "06_modules/bonus2_layer_norm"),
    "nano gpt": Case("config_gpt.py:GPT", "10_attention/ex10_char_model", ("loss-too",)),
    "lecture heads": Case("lecture.py:MultiHeadAttention", "10_attention/ex05_self_attention", ("causal", "no-bias"), HEADS),
    "functional attention": Case("functional.py:attend", "10_attention/ex04_my_attention", ("weights-too", "last-key")),
    "lecture loss": Case("lecture.py:language_model_loss", "10_attention/ex07_next_token_loss"),
    "course softmax": Case("assignment.py:softmax", "02_broadcasting/ex07_softmax"),
    "course loss": Case("assignment.py:cross_entropy", "04_functions/ex07_softmax_cross_entropy"),
    "course clip": Case("assignment.py:gradient_clipping", "05_optimizers/bonus1_clip_grad_norm", ("no-result",)),
    "course adamw": Case("assignment.py:AdamW", "05_optimizers/bonus2_adamw"),
    "course rope": Case("assignment.py:RotaryPositionalEmbedding", "10_attention/bonus1_rotary"),
    "complex rope": Case("complex_rope.py:apply_rotary_emb", "10_attention/bonus1_rotary", (), LLAMA),
    "halves rope": Case("halves_rope.py:apply_rotary_pos_emb", "10_attention/bonus1_rotary", ("halves",)),
    "filter": Case("halves_rope.py:top_k_top_p_filtering", "10_attention/ex08_sample_token", (), FILTER),
    "annotated function": Case("annotated.py:attention", "10_attention/ex04_my_attention", ("weights-too",)),
    "annotated heads": Case("annotated.py:MultiHeadedAttention", "10_attention/ex05_self_attention", (), FOUR),
    "annotated norm": Case("annotated.py:LayerNorm", "06_modules/bonus2_layer_norm", ("last-axis",)),
    "blog momentum": Case("scratch_optimizers.py:Momentum", "05_optimizers/ex06_sgd", ("zeros",)),
    "blog adam": Case("scratch_optimizers.py:Adam", "05_optimizers/ex07_adam", ("shared-count",)),
    "tutorial step": Case("tutorial_loop.py:train_one_batch", "07_training/ex01_train_step"),
    "tutorial fit": Case("tutorial_loop.py:fit", "07_training/ex02_train"),
    "tutorial validate": Case("tutorial_loop.py:validate", "07_training/ex03_evaluate"),
    "relu by hand": Case("autograd_functions.py:MyReLU", "04_functions/ex03_relu"),
    "linear by hand": Case("autograd_functions.py:LinearFunction", "04_functions/ex06_linear_function"),
    "collate": Case("batches.py:pad_collate", "09_data/ex04_collate_padded"),
    "masked softmax": Case("batches.py:masked_softmax", "10_attention/ex03_attention_masks"),
}

BUGS = {
    "attends one key further": Bug("functional attention", "<= rows[:, None]", "<= rows[:, None] + 1"),
    "sees one position ahead": Bug("nano attention", "torch.tril(torch.ones(config.block_size, config.block_size))", "torch.tril(torch.ones(config.block_size, config.block_size), diagonal=1)"),
    "heads joined without moving the axis": Bug("nano attention", "y = (att @ v).transpose(1, 2).contiguous().view(B, T, C)", "y = (att @ v).contiguous().view(B, T, C)"),
    "unused final norm": Bug("nano gpt", "        x = self.ln_f(x)\n", ""),
    "positions that are all the same": Bug("nano gpt", "pos = torch.arange(0, T, dtype=torch.long, device=idx.device)", "pos = torch.zeros(T, dtype=torch.long, device=idx.device)"),
    "scaled by the whole width": Bug("lecture heads", "k.shape[-1] ** -0.5", "C ** -0.5"),
    "loss without the shift": Bug("lecture loss", "targets = idx[:, 1:]", "targets = idx[:, :-1]"),
    "maximum of the whole tensor": Bug("course softmax", "shifted = in_features - in_features.max(dim=dim, keepdim=True).values", "shifted = in_features - in_features.max()"),
    "sum in place of the mean": Bug("course loss", "(log_z - picked).mean()", "(log_z - picked).sum()"),
    "each gradient by its own norm": Bug("course clip", "            g.mul_(max_l2_norm / (total + eps))", "            g.mul_(max_l2_norm / (g.norm() + eps))"),
    "decay in the gradient": Bug("course adamw", "g = p.grad.data\n", "g = p.grad.data + group['weight_decay'] * p.data\n"),
    "float32 for bfloat16": Bug("halves rope", "(q * cos + rotate_half(q) * sin).to(q.dtype)", "q * cos + rotate_half(q) * sin"),
    "positions are ignored": Bug("course rope", "self.cos[token_positions], self.sin[token_positions]", "self.cos[: x.shape[-2]], self.sin[: x.shape[-2]]"),
    "top-p drops the token that reaches p": Bug("filter", "        sorted_indices_to_remove[..., 1:] = sorted_indices_to_remove[..., :-1].clone()\n", ""),
    "mask inverted": Bug("annotated function", "masked_fill(mask == 0, -1e9)", "masked_fill(mask == 1, -1e9)"),
    "variance with n - 1": Bug("annotated norm", "unbiased=False", "unbiased=True"),
    "bias correction without the power": Bug("blog adam", "self.beta2**self.t", "self.beta2"),
    "velocity is the gradient's own memory": Bug("blog momentum", "self.velocities[i] = self.beta * self.velocities[i] + p.grad", "self.velocities[i] = p.grad.add_(self.beta * self.velocities[i])"),
    "mean of the batches' means": Bug("tutorial fit", "total += loss.item() * len(x)\n            seen += len(x)", "total += loss.item()\n            seen += 1"),
    "never clears the gradients": Bug("tutorial step", "    optimizer.zero_grad()\n    loss = criterion(model(x), y)\n    loss.backward()\n    optimizer.step()\n    return", "    loss = criterion(model(x), y)\n    loss.backward()\n    optimizer.step()\n    return"),
    "measured in training mode": Bug("tutorial validate", "    model.eval()\n", ""),
    "writes into the upstream gradient": Bug("relu by hand", "grad_output.clone()", "grad_output"),
    "bias gradient of one row": Bug("linear by hand", "rows.sum(0)", "rows[0]"),
    "mask off by one at the end": Bug("collate", "< lengths[:, None]", "<= lengths[:, None]"),
    "zero_grad does nothing": Bug("blog momentum", "p.grad.zero_()", "pass"),
    "no gradient for the keys": Bug("annotated function", "key.transpose(-2, -1)", "key.detach().transpose(-2, -1)"),
    "one pass through the loader for all epochs": Bug("tutorial fit", "    history = []\n", "    history, train_loader = [], list(train_loader)\n"),
}
