"""Known mistakes and unusual but correct solutions for the character model."""

import torch
from ex10_char_model import CharModel
from torch import nn

from torchdojo.variants import alternative, mistake

EQUIVALENT = {
    "in_place: seen = torch.ones(x.shape[1], kept.shape[3], dtype=torch.bool, device=x.device).tril_(kept.shape[3] - x.shape[1])": "the mask is nobody else's",
    "swap_statements: self.context = context": "a number may be set before nn.Module is initialized",
    "flip_flag: self.norm, self.head = nn.LayerNorm(width), nn.Linear(width, vocab, bias=True)": "how the model is built is up to the learner",
    "drop_keyword: for block, past in zip(self.blocks, pasts):": "there are as many caches as blocks",
    "drop_grad_mode: without @torch.no_grad()": "tokens are integers, and the graph is dropped with each step",
}

HINTS = (
    "Build it in this order: a model that gives logits of the right shape, the mask, the loss on one batch, the loop, generate. "
    "Look at the loss of the first step: an untrained model guesses, which costs about log(vocab).",
    "Token and position embeddings are added. Each block adds attention and an MLP to its input, with a norm before each. Targets are the same "
    "windows, one position later. For the cache keep keys and values of each block; their length is also the first new position.",
    "A text unfolded into pieces of context + 1 has all windows; index them with random numbers. The mask of a block has a row for each new token "
    "and a column for each key, with tril moved by the number of cached keys. generate crops the tokens and reads the logits at [0, -1].",
)

SEEN = "seen = torch.ones(x.shape[1], kept.shape[3], dtype=torch.bool, device=x.device).tril(kept.shape[3] - x.shape[1])"
EMBEDDED = "x = self.tokens(tokens) + self.positions.weight[start : start + tokens.shape[1]]"
BLOCKS = "nn.ModuleList([Block(width, heads) for _ in range(depth)])"
START = "start = 0 if pasts[0] is None else pasts[0].shape[3]"
HEAD = "self.norm, self.head = nn.LayerNorm(width), nn.Linear(width, vocab, bias=False)"
DRAWN = "drawn = windows[torch.randint(len(windows), (batch,), generator=generator)]"
LOSS = "loss = F.cross_entropy(model(drawn[:, :-1]).flatten(0, 1), drawn[:, 1:].flatten())"
OPTIMIZER = "optimizer = torch.optim.AdamW(model.parameters(), lr=lr)"
LOGITS = "logits = model(tokens[None, -model.context :])[0, -1]"
NEXT = "torch.multinomial(logits.softmax(0), 1, generator=generator)"

# ------------------------------------------------------------------ the model
sees_the_future = mistake.edited(
    SEEN,
    "seen = torch.ones(x.shape[1], kept.shape[3], dtype=torch.bool, device=x.device)",
    "A position can read later tokens, so the model copies the character that it should predict: let it read only itself and earlier positions.",
    about="later_tokens_change_nothing",
    common=True,
)

mask_from_the_first_key = mistake.edited(
    SEEN,
    "seen = torch.ones(x.shape[1], kept.shape[3], dtype=torch.bool, device=x.device).tril()",
    "The mask counts from the first key, so with a cache new tokens miss most of it: move its diagonal by the number of cached keys.",
    about="a_cache_changes_no_logits",
    common=True,
)

positions_start_again = mistake.edited(
    START,
    "start = 0",
    "With a cache the new tokens got positions from 0 on: begin with the number of tokens in the cache.",
    about="a_cache_changes_no_logits",
    common=True,
)

keeps_no_cache = mistake.edited(
    "cache[:] = kept",
    "cache = kept",
    "With a cache the new tokens don't see the earlier ones: write keys and values into the caller's list, and read them in the next call. "
    "(`cache = ...` only gives the name to another list.)",
    about="a_cache_changes_no_logits",
    common=True,
)

one_cache_for_all_blocks = mistake.edited(
    "cache[:] = kept",
    "cache[:] = kept[:1] * len(kept)",
    "All blocks used the keys and values of the first block: each block needs a cache of its own.",
    about="a_cache_changes_no_logits",
)

forgets_positions = mistake.edited(
    EMBEDDED,
    "x = self.tokens(tokens)",
    "The model doesn't know where a token stands, because attention ignores order: add a vector for each position.",
    about="earlier_tokens_and_their_order_matter",
    common=True,
)

one_block_many_times = mistake.edited(
    BLOCKS,
    "nn.ModuleList([Block(width, heads)] * depth)",
    "A larger depth gives the model no more parameters: create `depth` blocks, each with parameters of its own.",
    about="each_block_has_its_own_parameters",
    common=True,
)

blocks_in_a_plain_list = mistake.edited(
    BLOCKS,
    "[Block(width, heads) for _ in range(depth)]",
    "The parameters of the blocks don't belong to the model, because a plain list hides them: use nn.ModuleList.",
    about="each_block_has_its_own_parameters",
    common=True,
)

returns_probabilities = mistake.edited(
    "return self.head(self.norm(x))",
    "return self.head(self.norm(x)).softmax(-1)",
    "The model returned probabilities, and the loss applies softmax again: return logits.",
    about="learns_more_than_pairs",
    common=True,
)

ties_wide_embeddings = mistake.edited(
    HEAD,
    HEAD + "\nself.head.weight = self.tokens.weight",
    "The untrained model is confident in wrong tokens, because its logits are large: begin with smaller weights in the last layer. "
    "An embedding's weight, if the head shares it, has a standard deviation of 1: 0.02 is better.",
    about="begins_with_a_guess",
    common=True,
)


@mistake("CharModel", about="earlier_tokens_and_their_order_matter")
class OnlyPairs(CharModel):
    """The logits depend on the last token and its position alone, so the model learns little more than bigrams: let attention read the earlier tokens."""

    def forward(self, tokens, cache=None):
        start = cache[0] if cache else 0
        x = self.tokens(tokens) + self.positions.weight[start : start + tokens.shape[1]]
        rows = x.flatten(0, 1)[:, None]
        for block in self.blocks:
            rows, _ = block(rows, None)
        if cache is not None:
            cache[:] = [start + tokens.shape[1]]
        return self.head(self.norm(rows[:, 0].unflatten(0, tokens.shape)))


cuts_the_graph = mistake.edited(
    "mixed = F.scaled_dot_product_attention(q, kept[0], kept[1], attn_mask=seen)",
    "mixed = F.scaled_dot_product_attention(q, kept[0], kept[1], attn_mask=seen).detach()",
    "What attention returns is detached, so queries, keys and values are never trained: leave it in the graph.",
    about="gradients_reach_all_parameters",
)


# ------------------------------------------------------------------ training
predicts_what_it_reads = mistake.edited(
    LOSS,
    "loss = F.cross_entropy(model(drawn[:, :-1]).flatten(0, 1), drawn[:, :-1].flatten())",
    "The targets were the tokens that the model had just read: the targets are one position later.",
    about="updates_are_those_of_adamw",
    common=True,
)

adds_the_losses = mistake.edited(
    LOSS,
    'loss = F.cross_entropy(model(drawn[:, :-1]).flatten(0, 1), drawn[:, 1:].flatten(), reduction="sum")',
    "The losses of all tokens were added up: take their mean.",
    about="updates_are_those_of_adamw",
)

never_steps = mistake.edited(
    "optimizer.step()",
    "pass",
    "The weights never changed: call optimizer.step() after backward(), and don't clear the gradients between the two.",
    about="updates_are_those_of_adamw",
)

never_clears_gradients = mistake.edited(
    "optimizer.zero_grad()",
    "pass",
    "Gradients of all steps were added up: clear them in each step.",
    about="updates_are_those_of_adamw",
    common=True,
)

an_optimizer_for_each_step = mistake.edited(
    LOSS,
    OPTIMIZER + "\n" + LOSS,
    "Each step had a new optimizer, so AdamW's averages started over: create it once, before the loop.",
    about="updates_are_those_of_adamw",
    common=True,
)

default_learning_rate = mistake.edited(
    OPTIMIZER,
    "optimizer = torch.optim.AdamW(model.parameters())",
    "lr has no effect: pass it to AdamW.",
    about="updates_are_those_of_adamw",
)

keeps_tensors = mistake.edited(
    "losses.append(loss.item())",
    "losses.append(loss)",
    "The losses are tensors: take their numbers with .item().",
    about="updates_are_those_of_adamw",
    common=True,
)

adam = mistake.edited(
    OPTIMIZER,
    "optimizer = torch.optim.Adam(model.parameters(), lr=lr)",
    "The updates are those of Adam: AdamW also decays the weights a little in each step.",
    about="updates_are_those_of_adamw",
)

reads_whole_windows = mistake.edited(
    LOSS,
    "loss = F.cross_entropy(model(drawn)[:, :-1].flatten(0, 1), drawn[:, 1:].flatten())",
    "The model read context + 1 tokens, one too many: leave out the last token of a window before you call it.",
    about="windows_begin_at_all_places",
    common=True,
)

misses_the_last_window = mistake.edited(
    DRAWN,
    "drawn = windows[torch.randint(len(windows) - 1, (batch,), generator=generator)]",
    "The last window of the text was never drawn: torch.randint already leaves out its upper end.",
    about="windows_begin_at_all_places",
    common=True,
)

always_the_first_windows = mistake.edited(
    DRAWN,
    "drawn = windows[torch.arange(batch) % len(windows)]",
    "Every step used the first windows of the text, so the model knows nothing else: draw other windows in each step.",
    about="windows_begin_at_all_places",
)

one_window_in_each_step = mistake.edited(
    DRAWN,
    "drawn = windows[torch.randint(len(windows), (1,), generator=generator)].expand(batch, -1)",
    "All windows of a step begin at the same token: draw a position for each of them.",
    about="windows_begin_at_all_places",
)

draws_without_the_generator = mistake.edited(
    DRAWN,
    "drawn = windows[torch.randint(len(windows), (batch,))]",
    "The windows don't come from the generator: pass it to the function that draws them.",
    about="the_generator_draws_the_windows",
    common=True,
)

# ------------------------------------------------------------------ writing
does_not_crop = mistake.edited(
    LOGITS,
    "logits = model(tokens[None])[0, -1]",
    "The model got more than `context` tokens: pass only the last ones.",
    about="the_last_logits_give_the_next_token",
    common=True,
)

crops_the_end = mistake.edited(
    LOGITS,
    "logits = model(tokens[None, : model.context])[0, -1]",
    "The model got the first `context` tokens: pass the last ones.",
    about="the_last_logits_give_the_next_token",
)

reads_the_first_logits = mistake.edited(
    LOGITS,
    "logits = model(tokens[None, -model.context :])[0, 0]",
    "The logits at the first position were used: those at the last position predict the new token.",
    about="the_last_logits_give_the_next_token",
)

passes_the_last_token_alone = mistake.edited(
    LOGITS,
    "logits = model(tokens[None, -1:])[0, -1]",
    "The model got only the last token: without a cache it needs the earlier tokens, too.",
    about="the_last_logits_give_the_next_token",
)

leaves_out_the_prompt = mistake.edited(
    "return tokens",
    "return tokens[len(prompt) :]",
    "The prompt is missing in the result: return it, followed by the new tokens.",
    about="the_last_logits_give_the_next_token",
)

writes_without_the_generator = mistake.edited(
    NEXT,
    "torch.multinomial(logits.softmax(0), 1)",
    "The text doesn't come from the generator: pass it to the function that draws the tokens.",
    about="the_generator_writes_the_text",
    common=True,
)

always_the_likeliest = mistake.edited(
    NEXT,
    "logits.argmax(0, keepdim=True)",
    "No seed changes the text: draw each token with its probability, with random numbers from generator.",
    about="the_generator_writes_the_text",
)


# ------------------------------------------------------------------ odd, but right
@alternative("CharModel")
class RemembersTheTokens(CharModel):
    """A cache of tokens: the whole sequence runs again, and the new logits are returned."""

    def forward(self, tokens, cache=None):
        if cache is None:
            return super().forward(tokens)
        cache[:] = [torch.cat([*cache, tokens], dim=1)]
        return super().forward(cache[0])[:, -tokens.shape[1] :]


@alternative("CharModel")
class TiedAndNarrow(CharModel):
    """One small weight for both ends, branches that begin with 0, and a block that ends in a plain sum."""

    def __init__(self, vocab, context=32, width=64, heads=4, depth=2):
        super().__init__(vocab, context, width, heads, depth)
        self.head.weight = self.tokens.weight
        nn.init.normal_(self.tokens.weight, std=0.02)
        nn.init.normal_(self.positions.weight, std=0.02)
        for block in self.blocks:
            nn.init.zeros_(block.out.bias)
            nn.init.zeros_(block.down.weight)


@alternative("CharModel")
class PyTorchsLayers(nn.Module):
    """nn.TransformerEncoder with a float mask; a cache of tokens."""

    def __init__(self, vocab, context=32, width=64, heads=4, depth=2):
        super().__init__()
        self.context = context
        self.embed, self.place = nn.Embedding(vocab, width), nn.Parameter(torch.randn(context, width) / 10)
        layer = nn.TransformerEncoderLayer(width, heads, 2 * width, dropout=0.0, batch_first=True, norm_first=True)
        self.body = nn.TransformerEncoder(layer, depth, enable_nested_tensor=False)
        self.head = nn.Linear(width, vocab)

    def forward(self, tokens, cache=None):
        new = tokens.shape[1]
        if cache is not None:
            cache.append(tokens)
            tokens = torch.cat(cache, dim=1)
        time = tokens.shape[1]
        mask = torch.full((time, time), -torch.inf, device=tokens.device).triu(1)
        return self.head(self.body(self.embed(tokens) + self.place[:time], mask=mask))[:, -new:]


@alternative("train_model")
def stacks_windows(model, tokens, steps, batch, lr, generator=None):
    """Windows stacked by hand, the classes on axis 1, gradients cleared by the model after the step."""
    size, losses = model.context, []
    optimizer = torch.optim.AdamW([{"params": list(model.parameters())}], lr, weight_decay=0.01)
    for _ in range(steps):
        starts = (torch.rand(batch, generator=generator) * (len(tokens) - size)).long().tolist()
        x = torch.stack([tokens[i : i + size] for i in starts])
        y = torch.stack([tokens[i + 1 : i + size + 1] for i in starts])
        loss = nn.CrossEntropyLoss()(model(x).transpose(1, 2), y)
        losses.append(float(loss))
        loss.backward()
        optimizer.step()
        model.zero_grad()
    return losses


@alternative("generate")
def collects_a_list(model, prompt, count, generator=None):
    """Tokens in a list, and a draw from the race of exponential clocks."""
    tokens = prompt.tolist()
    for _ in range(count):
        logits = model(torch.tensor([tokens[-model.context :]]))[0, -1].detach()
        clocks = torch.empty_like(logits).exponential_(generator=generator)
        tokens.append((logits - clocks.log()).argmax().item())
    return torch.tensor(tokens)
