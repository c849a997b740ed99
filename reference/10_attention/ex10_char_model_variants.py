"""Known mistakes and unusual but correct solutions for the character model."""

import math

import torch
from ex10_char_model import CharModel, mean_loss
from torch import nn

from torchdojo.variants import alternative, mistake

EQUIVALENT = {
    "in_place: seen = torch.ones(x.shape[1], kept.shape[3], dtype=torch.bool, device=x.device).tril_(kept.shape[3] - x.shape[1])": "the mask is nobody else's",
    "swap_statements: self.context = context": "a number may be set before nn.Module is initialized",
    "flip_flag: self.norm, self.head = nn.LayerNorm(width), nn.Linear(width, vocab, bias=True)": "how the model is built is up to the learner",
    "drop_keyword: for block, past in zip(self.blocks, pasts):": "there are as many caches as blocks",
}

HINTS = (
    "Build it in this order: a model that gives logits of the right shape, the mask, the loss on one batch, mean_loss, the loop, generate. "
    "Look at the loss of the first step: an untrained model guesses, which costs about log(vocab).",
    "Token and position embeddings are added. Each block adds attention and an MLP to its input, with a norm before each. Targets are the same "
    "windows, one position later. For the cache keep keys and values of each block; their length is also the first new position. Chapter 07 has the parts "
    "of the loop: a schedule, groups, and going back to the best weights.",
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
OPTIMIZER = 'optimizer = torch.optim.AdamW([{"params": matrices, "weight_decay": 0.1}, {"params": others, "weight_decay": 0.0}], lr=lr)'
CLIP = "nn.utils.clip_grad_norm_(model.parameters(), 1.0)"
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

positions_count_from_the_end = mistake.edited(
    "self.positions.weight[start : start + tokens.shape[1]]",
    "self.positions.weight[start : start + tokens.shape[1]].flip(0)",
    "Positions count from the last token, so they change as the text grows: count from the first.",
    about="later_tokens_change_nothing",
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
    pitfall="it only learns to copy",
)

adds_the_losses = mistake.edited(
    LOSS,
    'loss = F.cross_entropy(model(drawn[:, :-1]).flatten(0, 1), drawn[:, 1:].flatten(), reduction="sum")',
    "The losses of all tokens were added up: take their mean.",
    about="updates_are_those_of_adamw",
)

never_steps = mistake.edited(
    "optimizer.step()",
    "",
    "The weights never changed: call optimizer.step() after backward(), and don't clear the gradients between the two.",
    about="updates_are_those_of_adamw",
)

never_clears_gradients = mistake.edited(
    "optimizer.zero_grad()",
    "",
    "Gradients of all steps were added up: clear them in each step.",
    about="updates_are_those_of_adamw",
    common=True,
)

an_optimizer_for_each_step = mistake.edited(
    LOSS,
    "optimizer = torch.optim.AdamW(optimizer.param_groups)\n" + LOSS,
    "Each step had a new optimizer, so AdamW's averages started over: create it once, before the loop.",
    about="updates_are_those_of_adamw",
    common=True,
)

default_learning_rate = mistake.edited(
    OPTIMIZER,
    OPTIMIZER.replace(", lr=lr", ""),
    "lr has no effect: pass it to AdamW.",
    about="the_learning_rate_is_scheduled",
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
    OPTIMIZER.replace("AdamW", "Adam"),
    "The updates are those of Adam, which adds the decay to the gradients: use AdamW.",
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

clips_before_backward = mistake.edited(
    "loss.backward()\n" + CLIP,
    CLIP + "\nloss.backward()",
    "The gradients of a step were not clipped: call clip_grad_norm_ between backward() and the step, not before.",
    about="gradients_are_clipped",
    common=True,
)

clips_each_number = mistake.edited(
    "clip_grad_norm_",
    "clip_grad_value_",
    "Each number was clipped by itself: clip the norm of all gradients together with clip_grad_norm_.",
    about="gradients_are_clipped",
)

trains_in_the_mode_it_finds = mistake.edited(
    "model.train()",
    "",
    "train_model() trained in the mode that the model was in, perhaps without dropout: call model.train() before each step.",
    about="each_step_is_in_training_mode",
    common=True,
)

rate_stays = mistake.edited(
    "scheduler = torch.optim.lr_scheduler.LambdaLR(optimizer, factor)",
    "scheduler = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: 1.0)",
    "The learning rate never changed: let it warm up and then follow the cosine.",
    about="the_learning_rate_is_scheduled",
    common=True,
)

scheduler_comes_first = mistake.edited(
    "optimizer.step()\nscheduler.step()",
    "scheduler.step()\noptimizer.step()",
    "Each step has the learning rate of the next one, as when scheduler.step() comes before optimizer.step(): the first step "
    "needs the factor for k = 0.",
    about="the_learning_rate_is_scheduled",
    common=True,
)

warm_up_from_zero = mistake.edited(
    "(step + 1) / warmup",
    "step / warmup",
    "The first step had a learning rate of 0: the factor is (k + 1) / w.",
    about="the_learning_rate_is_scheduled",
    common=True,
)

everything_decays = mistake.edited(
    '"weight_decay": 0.0',
    '"weight_decay": 0.1',
    "Biases and norms decay, too: their group has a weight decay of 0.",
    about="matrices_decay",
    common=True,
)

one_group = mistake.edited(
    OPTIMIZER,
    "optimizer = torch.optim.AdamW(model.parameters(), lr=lr)",
    "All parameters have AdamW's default weight decay: make two groups, with 0.1 for parameters with two or more axes and 0 for the others.",
    about="matrices_decay",
    common=True,
)

best_goes_on_changing = mistake.edited(
    "best = copy.deepcopy(model.state_dict())",
    "best = model.state_dict()",
    "The model has the weights of the last step. Load those with the lowest held-out loss, and keep a copy of them: a state_dict shares its memory with the model.",
    about="the_best_weights_come_back",
    common=True,
)

first_weights_come_back = mistake.edited(
    "if held_out_losses[-1] < min(held_out_losses[:-1]):\n    best = copy.deepcopy(model.state_dict())",
    "",
    "The first weights came back: save the weights whenever the held-out loss is lower than before.",
    about="the_best_weights_come_back",
)

evaluates_every_step = mistake.edited(
    "(step + 1) % 10 == 0",
    "True",
    "The held-out text was evaluated after every step: do it after every 10 steps.",
    about="the_held_out_text_is_evaluated",
)

evaluates_too_early = mistake.edited(
    "(step + 1) % 10 == 0",
    "step % 10 == 0",
    "The held-out text was evaluated after steps 1, 11 and so on: evaluate it after 10, 20 and so on.",
    about="the_held_out_text_is_evaluated",
    common=True,
)

evaluates_the_training_text = mistake.edited(
    "held_out_losses.append(mean_loss(model, held_out))",
    "held_out_losses.append(mean_loss(model, tokens))",
    "The training text was evaluated: pass the held-out text.",
    about="the_held_out_text_is_evaluated",
)

# ------------------------------------------------------------------ evaluating
every_window = mistake.edited(
    "windows = tokens.unfold(0, model.context + 1, model.context)",
    "windows = tokens.unfold(0, model.context + 1, 1)",
    "The windows of mean_loss() overlap: each begins where the one before ended, so they move by model.context.",
    about="the_loss_covers_the_text",
    common=True,
)

windows_leave_gaps = mistake.edited(
    "windows = tokens.unfold(0, model.context + 1, model.context)",
    "windows = tokens.unfold(0, model.context + 1, model.context + 1)",
    "The windows of mean_loss() leave tokens out: they move by model.context, because the last token of one is the first of the next.",
    about="the_loss_covers_the_text",
    common=True,
)

evaluates_in_training_mode = mistake.edited(
    "model.eval()",
    "",
    "mean_loss() ran in the mode that the model was in, perhaps with dropout: call model.eval().",
    occurrence=1,
    about="evaluation_switches_and_returns",
    common=True,
)

evaluation_mode_stays = mistake.edited(
    "model.train(training)",
    "",
    "mean_loss() left the model in evaluation mode: put the mode back.",
    occurrence=1,
    about="evaluation_switches_and_returns",
    common=True,
)

evaluates_with_a_graph = mistake.edited(
    "@torch.no_grad()\ndef mean_loss",
    "def mean_loss",
    "mean_loss() builds a graph: turn that off with torch.no_grad().",
    about="evaluation_switches_and_returns",
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
    pitfall="The logits at the last position",
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


writes_in_training_mode = mistake.edited(
    "model.eval()",
    "",
    "generate() ran in the mode that the model was in, perhaps with dropout: call model.eval().",
    occurrence=2,
    about="writing_switches_and_returns",
    common=True,
)

writing_leaves_evaluation_mode = mistake.edited(
    "model.train(training)",
    "",
    "generate() left the model in evaluation mode: put the mode back.",
    occurrence=2,
    about="writing_switches_and_returns",
    common=True,
)

writes_with_a_graph = mistake.edited(
    "@torch.no_grad()\ndef generate",
    "def generate",
    "generate() builds a graph: turn that off with torch.no_grad().",
    about="writing_switches_and_returns",
    common=True,
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
def sets_everything_by_hand(model, tokens, held_out, steps, batch, lr, generator=None):
    """Windows stacked by hand, rates set in the loop, gradients cleared after the step, clones of the best weights."""
    size, losses, curve, best = model.context, [], [], None
    groups = {0.1: [], 0.0: []}
    for _, p in model.named_parameters():
        groups[0.1 if p.ndim > 1 else 0.0].append(p)
    optimizer = torch.optim.AdamW([{"params": ps, "weight_decay": decay} for decay, ps in groups.items() if ps], lr)
    w = max(1, steps // 10)
    for k in range(steps + 1):
        if k % 10 == 0:
            curve.append(mean_loss(model, held_out))
            if best is None or curve[-1] < best[0]:
                best = curve[-1], {name: t.clone() for name, t in model.state_dict().items()}
        if k == steps:
            break
        factor = (k + 1) / w if k < w else (1 + math.cos(math.pi * (k - w) / (steps - w))) / 2
        for group in optimizer.param_groups:
            group["lr"] = lr * factor
        starts = (torch.rand(batch, generator=generator) * (len(tokens) - size)).long().tolist()
        x = torch.stack([tokens[i : i + size] for i in starts])
        y = torch.stack([tokens[i + 1 : i + size + 1] for i in starts])
        loss = nn.CrossEntropyLoss()(model.train()(x).transpose(1, 2), y)
        losses.append(float(loss))
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm=1)
        optimizer.step()
        model.zero_grad()
    model.load_state_dict(best[1])
    return losses, curve


@alternative("mean_loss")
def one_window_after_the_other(model, tokens):
    """A loop over the windows, which all have the same size."""
    mode, losses = model.training, []
    model.train(False)
    with torch.inference_mode():
        for i in range(0, len(tokens) - model.context, model.context):
            window = tokens[i : i + model.context + 1]
            losses.append(nn.functional.cross_entropy(model(window[None, :-1])[0], window[1:]))
        mean = torch.stack(losses).mean().item()
    model.train(mode)
    return mean


@alternative("generate")
def collects_a_list(model, prompt, count, generator=None):
    """Tokens in a list, and a draw from the race of exponential clocks."""
    tokens, mode = prompt.tolist(), model.training
    model.eval()
    for _ in range(count):
        with torch.no_grad():
            logits = model(torch.tensor([tokens[-model.context :]]))[0, -1]
        clocks = torch.empty_like(logits).exponential_(generator=generator)
        tokens.append((logits - clocks.log()).argmax().item())
    if mode:
        model.train()
    return torch.tensor(tokens)
