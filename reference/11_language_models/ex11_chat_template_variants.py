"""Known mistakes and unusual but correct solutions for make_batch, chat_loss and held_out_loss."""

import copy

import torch
from torch import nn

from torchdojo.variants import alternative, mistake

HINTS = (
    "Run `torchdojo symptom ex11_chat_template` and compare each printed list with what the docstrings say. Which function makes the number that differs?",
    "Everything that a docstring promises is already there somewhere, or is done twice. render returns two lists, and one of them is never used. The model has a "
    "second argument. Labels are shifted in one place only.",
    "Remove what adds the second BOS. Pad the second list of render as you pad the tokens, and put -100 where it is False, before the shift. Hand attend to the "
    "model and compare logits and labels of the same position. Switch to evaluation mode, and back.",
)

ROWS = "rows = [render(chat) for chat in chats]"
TWICE = "rows = [([BOS, *ids], [False, *learned]) for ids, learned in map(render, chats)]"
MASKED = "tokens.masked_fill(~learned, -100)"
LOSS = "F.cross_entropy(logits.flatten(0, 1), labels.flatten())"
BACK = "for module, training in modes:\n    module.training = training"

FROM_A_LIST = "a list is copied in both ways"
EQUIVALENT = {
    "swap_statements: learned += [False] + [role == BOT] * (len(words) + 1)": "two lists that have nothing to do with each other",
    "swap_function: tokens = torch.as_tensor([[PAD] * (width - len(ids)) + ids for ids, _ in rows])": FROM_A_LIST,
    "swap_function: learned = torch.as_tensor([[False] * (width - len(flags)) + flags for _, flags in rows])": FROM_A_LIST,
}

as_it_was = mistake.edited(ROWS, TWICE,
    "The code does what it did before: BOS comes twice, everything is learned, labels are shifted twice, padding is attended, and dropout is on.",
    also=[
        (MASKED, "tokens"),
        (LOSS, "F.cross_entropy(logits[:, :-1].flatten(0, 1), labels[:, 1:].flatten())"),
        ("model(tokens, attend)", "model(tokens)"),
        ("model.eval()", "pass"),
    ])

bos_twice = mistake.edited(ROWS, TWICE,
    "Each chat begins with two BOS: render has put one there already.",
    about="chats_begin_once", common=True, pitfall="together they add two")

no_bos = mistake.edited(ROWS, "rows = [(ids[1:], learned[1:]) for ids, learned in map(render, chats)]",
    "The chats have no BOS any more: one of the two has to stay.",
    about="chats_begin_once")

padded_on_the_right = mistake.edited("[PAD] * (width - len(ids)) + ids", "ids + [PAD] * (width - len(ids))",
    "The padding is on the right: it belongs on the left, before BOS.",
    also=[("[False] * (width - len(flags)) + flags", "flags + [False] * (width - len(flags))")],
    about="chats_begin_once", common=True)

everything_is_learned = mistake.edited(MASKED, "tokens",
    "Questions, roles and padding are learned, too: the label of everything but the assistant's answers is -100.",
    about="answers_alone_are_learned", common=True)

padding_alone_is_masked = mistake.edited(MASKED, "tokens.masked_fill(tokens == PAD, -100)",
    "Only the padding isn't learned. Questions and roles don't count either: learn the answers alone.",
    about="answers_alone_are_learned", common=True)

end_not_learned = mistake.edited(MASKED, "tokens.masked_fill(~learned | (tokens == END), -100)",
    "END isn't learned, so the model never stops: the END of the assistant counts.",
    about="answers_alone_are_learned", common=True)

every_end_learned = mistake.edited(MASKED, "tokens.masked_fill(~learned & (tokens != END), -100)",
    "The END of the user is learned, too: only that of the assistant counts.",
    about="answers_alone_are_learned")

role_learned = mistake.edited(MASKED, "tokens.masked_fill(~learned & (tokens != BOT), -100)",
    "The role of the assistant is learned, too: it is part of the prompt.",
    about="answers_alone_are_learned", common=True)

learned_the_other_way_round = mistake.edited("~learned", "learned",
    "The answers are masked, and everything else is learned: it is the other way round.",
    about="answers_alone_are_learned")

last_answer_alone = mistake.edited(MASKED, "tokens.masked_fill(~learned | ((tokens == BOT).flip(1).cumsum(1).flip(1) > 0), -100)",
    "Only the last answer of a chat is learned: all of them count.",
    about="answers_alone_are_learned")

mask_one_late = mistake.edited("F.pad(tokens.masked_fill(~learned, -100)[:, 1:], (0, 1), value=-100)",
    "F.pad(tokens[:, 1:], (0, 1), value=-100).masked_fill(~learned, -100)",
    "The first word of an answer isn't learned, and the token after its END is: shift the mask as you shift the tokens, or mask before the shift.",
    about="answers_alone_are_learned", common=True)

labels_not_shifted = mistake.edited("F.pad(tokens.masked_fill(~learned, -100)[:, 1:], (0, 1), value=-100)", "tokens.masked_fill(~learned, -100)",
    "make_batch returns each token as its own label: the label of a position is the next token.",
    about="labels_stand_before_their_tokens", common=True)

labels_around_the_end = mistake.edited("F.pad(tokens.masked_fill(~learned, -100)[:, 1:], (0, 1), value=-100)", "F.pad(tokens.masked_fill(~learned, -100)[:, 1:], (0, 1), value=END)",
    "The last position has a label, although no token comes after it: it is -100.",
    about="labels_stand_before_their_tokens")

shifted_twice = mistake.edited(LOSS, "F.cross_entropy(logits[:, :-1].flatten(0, 1), labels[:, 1:].flatten())",
    "The labels were shifted twice, so the model learns the token after the next one: the labels of make_batch are shifted already.",
    about="labels_are_shifted_once", common=True)

shifted_back = mistake.edited(LOSS, "F.cross_entropy(logits[:, 1:].flatten(0, 1), labels[:, :-1].flatten())",
    "The labels were compared with the logits of the position after: logits and labels of the same position belong together.",
    about="labels_are_shifted_once")

masked_labels_as_zeros = mistake.edited(LOSS, "F.cross_entropy(logits.flatten(0, 1), labels.flatten().clamp(min=0))",
    "Labels of -100 count as the token 0: leave them as they are, cross_entropy skips them.",
    about="labels_are_shifted_once")

mean_over_all_positions = mistake.edited(LOSS, 'F.cross_entropy(logits.flatten(0, 1), labels.flatten(), reduction="sum") / labels.numel()',
    "The loss was divided by all positions: it is the mean of the labels that count.",
    about="labels_are_shifted_once")

padding_attended = mistake.edited("model(tokens, attend)", "model(tokens)",
    "The model isn't told which positions are padding and attends to all: pass attend.",
    about="padding_is_not_attended", common=True)

attend_turned_over = mistake.edited("model(tokens, attend)", "model(tokens, ~attend)",
    "The model was told to attend to the padding alone: attend is True at real tokens.",
    about="padding_is_not_attended")

labelled_positions_attended = mistake.edited("model(tokens, attend)", "model(tokens, labels != -100)",
    "The model attends to positions with a label only, so it doesn't see the questions: pass attend.",
    about="padding_is_not_attended")

dropout_on = mistake.edited("model.eval()", "pass",
    "The model runs in the mode that it is in, with dropout in training: no_grad doesn't change that. Call eval().",
    about="evaluation_has_no_dropout", common=True)

trains_for_evaluation = mistake.edited("model.eval()", "model.train()",
    "The model was put in training mode for the evaluation: call eval().",
    about="evaluation_has_no_dropout")

graph_built = mistake.edited("with torch.no_grad():", "if True:",
    "The evaluation builds a graph: keep no_grad().",
    about="evaluation_has_no_dropout")

stays_in_evaluation_mode = mistake.edited(BACK, "pass",
    "The model stays in evaluation mode, and training goes on without dropout: put each module back in its mode.",
    about="modes_come_back", common=True)

always_back_to_training = mistake.edited(BACK, "model.train()",
    "Afterwards all modules are in training mode, also those that weren't: put each back in its mode.",
    about="modes_come_back", common=True)

one_mode_for_all = mistake.edited(BACK, "model.train(modes[0][1])",
    "The modes of the parts are lost: train(mode) sets all of them. Note the mode of each module.",
    about="modes_come_back")


@alternative("make_batch")
def labels_as_lists(chats):
    """Labels in Python lists, shifted there, and padding by pad_sequence of reversed rows."""
    from ex11_chat_template import PAD, render

    tokens, labels = [], []
    for ids, learned in map(render, chats):
        tokens.append(torch.tensor(ids[::-1]))
        shifted = [i if flag else -100 for i, flag in zip(ids, learned, strict=True)][1:] + [-100]
        labels.append(torch.tensor(shifted[::-1]))
    pad = nn.utils.rnn.pad_sequence
    tokens = pad(tokens, batch_first=True, padding_value=PAD).flip(1)
    return tokens, pad(labels, batch_first=True, padding_value=-100).flip(1), tokens.ne(PAD)


@alternative("make_batch")
def filled_row_by_row(chats):
    """Full tensors that are written row by row from the right."""
    from ex11_chat_template import PAD, render

    rows = [render(chat) for chat in chats]
    time = max(len(ids) for ids, _ in rows)
    tokens, labels = torch.full((len(rows), time), PAD), torch.full((len(rows), time), -100)
    for i, (ids, learned) in enumerate(rows):
        tokens[i, time - len(ids):] = torch.tensor(ids)
        for t, flag in enumerate(learned):
            if flag:
                labels[i, time - len(ids) + t - 1] = ids[t]
    return tokens, labels, tokens != PAD


@alternative("chat_loss")
def over_the_vocabulary_as_second_axis(model, tokens, labels, attend):
    """cross_entropy with the vocabulary on axis 1."""
    return nn.CrossEntropyLoss()(model(tokens, attend).transpose(1, 2), labels)


@alternative("chat_loss")
def picked(model, tokens, labels, attend):
    """Only the positions with a label."""
    at = labels != -100
    logits = model(tokens, attend)[at]
    return (logits.logsumexp(-1) - logits.gather(-1, labels[at][:, None])[:, 0]).mean()


@alternative("held_out_loss")
def on_a_copy(model, tokens, labels, attend):
    """A copy is evaluated; it shares the list in which a model may note its calls."""
    from ex11_chat_template import chat_loss

    shared = {id(module.seen): module.seen for module in model.modules() if hasattr(module, "seen")}
    with torch.inference_mode():
        return float(chat_loss(copy.deepcopy(model, shared).eval(), tokens, labels, attend))
