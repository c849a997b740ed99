"""Known mistakes and unusual but correct solutions for microbatch_grads."""

import torch

from torchdojo.variants import alternative, mistake

EQUIVALENT = {
    "wrong_name: if sum(sizes) != len(Y) or min(sizes) < 1:": "X and Y have equally many rows",
    "drop_keyword: for x, y in zip(X.split(sizes), Y.split(sizes)):": "X and Y are cut by the same sizes",
    "wrong_name: loss = loss_fn(model(x), y) * (len(y) / len(X))": "X and Y have equally many rows",
    "wrong_name: loss = loss_fn(model(x), y) * (len(x) / len(Y))": "X and Y have equally many rows",
}

HINTS = (
    "backward adds to .grad. What must each microbatch's loss be multiplied by, so that the sum is the mean "
    "over all rows?",
    "The mean over all rows is the sum of the microbatch means, each weighted by its fraction of the rows. "
    "Clear the gradients once at the start; each microbatch runs backward before the next goes forward.",
    "Check the sizes, and raise ValueError. Zero the model's gradients. Split X and Y by sizes and loop over "
    "the pairs: loss of the model's prediction, times the fraction of rows in this pair, then backward.",
)


def check(X, sizes):
    if sum(sizes) != len(X) or min(sizes) < 1:
        raise ValueError("sizes do not fit")


divides_by_the_number_of_pieces = mistake.edited("* (len(x) / len(X))", "/ len(sizes)",
    "Each microbatch counted the same, however many rows it has: weight it by its fraction of the rows, not by 1 over the "
    "number of microbatches.",
    pitfall="Dividing by the number of microbatches")

adds_without_weights = mistake.edited(" * (len(x) / len(X))", "",
    "The gradients are too large: the losses are means, and their plain sum is not the mean over all rows. Weight each by its "
    "fraction of the rows.")

divides_by_all_rows_only = mistake.edited("* (len(x) / len(X))", "/ len(X)",
    "The gradients are too small: each loss is already a mean, so multiply it by its own number of rows before you divide by "
    "all rows.")

clears_inside_the_loop = mistake.edited("loss = loss_fn", "model.zero_grad()\nloss = loss_fn",
    "Only the gradient of the last microbatch is left in .grad: add up those of all microbatches, and clear .grad"
    " only once, before the loop.")

keeps_old_gradients = mistake.edited("model.zero_grad()", "",
    "The old gradient is still in .grad: call model.zero_grad() before the first backward pass.")

clears_at_the_end = mistake.edited("model.zero_grad()", "",
    "No gradient is left at the end: call backward for each microbatch, and clear .grad only before the loop.",
    also=[("    loss.backward()", "    loss.backward()\nmodel.zero_grad()")])

one_backward_at_the_end = mistake.edited("model.zero_grad()", "model.zero_grad()\ntotal = 0.0",
    "Every microbatch's graph was alive until the end, so no memory was saved: call backward "
    "inside the loop.",
    also=[("loss = loss_fn", "total = total + loss_fn"), ("    loss.backward()", "total.backward()")])

one_big_batch = mistake.edited("zip(X.split(sizes), Y.split(sizes), strict=True)", "[(X, Y)]",
    "The model got all the rows at once: split X and Y into microbatches, which saves memory.")


@mistake("microbatch_grads")
def takes_any_sizes(model, loss_fn, X, Y, sizes):
    """Sizes that do not add up to the number of rows (or an empty microbatch) were accepted: compare them first,
    and raise a ValueError."""
    model.zero_grad()
    start = 0
    for size in sizes:
        x, y = X[start : start + size], Y[start : start + size]
        start += size
        (loss_fn(model(x), y) * (len(x) / len(X))).backward()


checks_too_late = mistake.edited("if sum(sizes) != len(X)", "model.zero_grad()\nif sum(sizes) != len(X)",
    "The ValueError came after the gradients had been cleared or the model called: check the sizes before anything else.")

takes_sizes_below_one = mistake.edited(" or min(sizes) < 1", "",
    "A size below 1 was accepted where the sizes add up: check each size as well, before you call the model.")

takes_negative_sizes = mistake.edited("min(sizes) < 1", "0 in sizes",
    "A negative size was accepted where the sizes add up: no size may be less than 1, so check for that, not only for 0.")

takes_sizes_of_zero = mistake.edited("min(sizes) < 1", "min(sizes) < 0",
    "A size of 0 was accepted, and the model was called on no rows: no size may be less than 1, so refuse 0 as well as negative sizes.")

zeroes_a_grad_that_is_none = mistake.edited("model.zero_grad()", "for p in model.parameters():\n    p.grad.zero_()",
    ".grad is None before the first backward pass, and None has no zero_(): call model.zero_grad(), or check for None.")

also_takes_a_step = mistake.edited("    loss.backward()",
    """
        loss.backward()
    with torch.no_grad():
        for p in model.parameters():
            if p.grad is not None:
                p -= 0.01 * p.grad
    """,
    "The parameters themselves changed: here only .grad is filled; the step belongs to an optimizer.")

keeps_every_graph = mistake.edited("loss.backward()", "loss.backward(retain_graph=True)",
    "A microbatch's graph was still in memory when the next one started: let each backward pass free its graph, without "
    "retain_graph=True or create_graph=True.")

turns_targets_into_floats = mistake.edited("Y.split(", "Y.to(X.dtype).split(",
    "The targets were turned into floats, and class labels are integers: pass them to loss_fn unchanged.")

switches_to_train_mode = mistake.edited("model.zero_grad()", "model.train()\nmodel.zero_grad()",
    "The model was put in train mode: leave its mode to the caller.")

makes_equal_pieces = mistake.edited(
    "zip(X.split(sizes), Y.split(sizes), strict=True)", "zip(X.chunk(len(sizes)), Y.chunk(len(sizes)))",
    "The microbatches were split into equal pieces: chunk takes a number of pieces; split takes their sizes.")

begins_at_its_number_of_sizes = mistake.edited(
    "zip(X.split(sizes), Y.split(sizes), strict=True)", "[(X[i * n : (i + 1) * n], Y[i * n : (i + 1) * n]) for i, n in enumerate(sizes) if len(X[i * n :])]",
    "A microbatch begins at its number times its own size: begin where the previous one ended.")

always_the_first_rows = mistake.edited(
    "zip(X.split(sizes), Y.split(sizes), strict=True)", "[(X[:size], Y[:size]) for size in sizes]",
    "Every microbatch begins at row 0, so the first rows are used again and again: begin where the previous one ended.")


@mistake("microbatch_grads")
def leaves_unreached_gradients(model, loss_fn, X, Y, sizes):
    """A parameter that the loss does not reach kept its old gradient: clear all of them, not only those that
    get a new one."""
    check(X, sizes)
    params = [p for p in model.parameters() if p.requires_grad]
    totals = [None] * len(params)
    for x, y in zip(X.split(sizes), Y.split(sizes)):
        loss = loss_fn(model(x), y) * (len(x) / len(X))
        for i, grad in enumerate(torch.autograd.grad(loss, params, allow_unused=True)):
            if grad is not None:
                totals[i] = grad if totals[i] is None else totals[i] + grad
    for p, total in zip(params, totals):
        if total is not None:
            p.grad = total


uses_up_the_sizes = mistake.edited("    loss.backward()", "    loss.backward()\nsizes.clear()",
    "The caller's list of sizes is empty afterwards: loop over it without removing anything.")

flattens_the_rows = mistake.edited("model(x)", "model(x.reshape(len(x), -1))",
    "The rows were flattened before the model got them: it takes rows of the shape that X has, so pass them on unchanged.")


@mistake("microbatch_grads")
def counts_a_shared_parameter_twice(model, loss_fn, X, Y, sizes):
    """A parameter that has two names in the model got its gradient twice: list each parameter once, as model.parameters() does."""
    check(X, sizes)
    params = [p for _, p in model.named_parameters(remove_duplicate=False) if p.requires_grad]
    for p in params:
        p.grad = torch.zeros_like(p)
    for x, y in zip(X.split(sizes), Y.split(sizes)):
        loss = loss_fn(model(x), y) * (len(x) / len(X))
        for p, grad in zip(params, torch.autograd.grad(loss, params, materialize_grads=True)):
            p.grad += grad


divides_in_every_module = mistake.edited("(len(x) / len(X))", "len(x)",
    "A parameter that two modules share was divided once for each of them: loop over model.parameters(), which yields it once.",
    also=[("    loss.backward()",
        """
            loss.backward()
        for part in model.modules():
            for p in part.parameters(recurse=False):
                if p.grad is not None:
                    p.grad /= len(X)
        """)])

last_rows_first = mistake.edited(
    "zip(X.split(sizes), Y.split(sizes), strict=True)", "reversed(list(zip(X.split(sizes), Y.split(sizes))))",
    "The microbatches are in the wrong order: the first rows come first, and sizes says how many.")

one_microbatch_ahead = mistake.edited("model.zero_grad()", "model.zero_grad()\nwaiting = []",
    "The forward pass of a microbatch ran before the backward pass of the previous one, so two graphs were in memory: "
    "forward, backward, then the next.",
    also=[("    loss.backward()",
        """
            waiting.append(loss)
            if len(waiting) > 1:
                waiting.pop(0).backward()
        waiting.pop().backward()
        """)])


@alternative("microbatch_grads")
def weights_as_upstream_gradient(model, loss_fn, X, Y, sizes):
    """The share of the rows is the upstream gradient of each loss."""
    if any(size < 1 for size in sizes) or sum(sizes) != X.shape[0]:
        raise ValueError("the sizes do not match the rows")
    for p in model.parameters():
        p.grad = None
    start = 0
    for size in sizes:
        rows = slice(start, start + size)
        loss = loss_fn(model(X[rows]), Y[rows])
        loss.backward(torch.full_like(loss, size / X.shape[0]))
        start += size


@alternative("microbatch_grads")
def sums_by_hand(model, loss_fn, X, Y, sizes):
    """Gradients from torch.autograd.grad, added up by hand and stored at the end."""
    if sum(sizes) != len(X) or not all(size > 0 for size in sizes):
        raise ValueError("bad sizes")
    params = [p for p in model.parameters() if p.requires_grad]
    totals = [torch.zeros_like(p) for p in params]
    for x, y in zip(torch.split(X, list(sizes)), torch.split(Y, list(sizes))):
        loss = len(x) * loss_fn(model(x), y)
        grads = torch.autograd.grad(loss, params, materialize_grads=True)
        totals = [total + grad for total, grad in zip(totals, grads)]
    for p, total in zip(params, totals):
        p.grad = total / len(X)


divides_at_the_end = alternative.edited("model.zero_grad()", "model.zero_grad(set_to_none=False)",
    "Sums over rows first, one division of each .grad at the end.",
    also=[
        ("(len(x) / len(X))", "len(x)"),
        ("    loss.backward()",
        """
            loss.backward()
        with torch.no_grad():
            for p in model.parameters():
                if p.requires_grad and p.grad is not None:
                    p.grad.div_(len(X))
        """),
    ])


@alternative("microbatch_grads")
def functional_gradients(model, loss_fn, X, Y, sizes):
    """torch.func: the loss as a function of the parameters."""
    check(X, sizes)
    params = {name: p for name, p in model.named_parameters() if p.requires_grad}

    def share_of_loss(numbers, x, y):
        return loss_fn(torch.func.functional_call(model, numbers, (x,)), y) * (len(x) / len(X))

    for p in params.values():
        p.grad = None
    numbers = {name: p.detach() for name, p in params.items()}
    for x, y in zip(X.split(sizes), Y.split(sizes)):
        for name, grad in torch.func.grad(share_of_loss)(numbers, x, y).items():
            params[name].grad = grad if params[name].grad is None else params[name].grad + grad
