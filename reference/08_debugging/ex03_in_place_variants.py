"""Known mistakes and odd-but-correct solutions for sigmoid_shares and gated_block."""

import torch

from torchdojo.variants import alternative, mistake

HINTS = (
    "Look for `/=`, for names that end in an underscore, and for `.data`: these lines write into memory that others still read.",
    "sigmoid keeps its own result for backward, and a product keeps both factors. If one of them is "
    "overwritten, backward has the wrong numbers; PyTorch notices unless .data hides the change.",
    "In both functions let the result of the offending line be a new tensor: divide without the equals sign, "
    "and use the relu that returns a tensor.",
)


@mistake()
def writes_in_place_twice():
    """parts /= ... overwrites what sigmoid's backward needs: divide out of place. x.data.relu_() overwrites the caller's x, and
    .data hides that from autograd: use torch.relu(x)."""
    return {"sigmoid_shares": divides_in_place, "gated_block": leaves_the_relu_on_data}


@mistake("sigmoid_shares")
def divides_in_place(scores):
    """parts /= ... overwrites what sigmoid's backward needs, and a clone made later is too late: divide out of place."""
    parts = torch.sigmoid(scores)
    parts /= parts.sum(dim=-1, keepdim=True)
    return parts


@mistake("sigmoid_shares")
def hides_the_division_in_data(scores):
    """`.data` silences the error, but backward still reads the overwritten sigmoids and gives a wrong
    gradient: make a new tensor by dividing."""
    parts = torch.sigmoid(scores)
    parts.data /= parts.data.sum(dim=-1, keepdim=True)
    return parts


@mistake("sigmoid_shares")
def detaches_the_sum(scores):
    """The sum was detached, so its part of the gradient is missing: each score changes the sum as well."""
    parts = torch.sigmoid(scores)
    return parts / parts.sum(dim=-1, keepdim=True).detach()


@mistake("sigmoid_shares")
def detaches_everything(scores):
    """The error is gone because the graph is gone: the result must still give scores a gradient."""
    parts = torch.sigmoid(scores).detach()
    parts /= parts.sum(dim=-1, keepdim=True)
    return parts


@mistake("sigmoid_shares")
def clones_after_the_damage(scores):
    """parts /= ... overwrites what sigmoid's backward needs, and a clone made later is too late: divide out of place."""
    parts = torch.sigmoid(scores)
    parts /= parts.sum(dim=-1, keepdim=True)
    return parts.clone()


@mistake("sigmoid_shares")
def works_on_the_callers_tensor(scores):
    """You overwrote the caller's scores: copy them first, or don't change anything in place."""
    parts = scores.detach().sigmoid_()
    return parts / parts.sum(dim=-1, keepdim=True)


@mistake("sigmoid_shares")
def uses_softmax(scores):
    """This is softmax, another formula: the shares are those of the sigmoids."""
    return torch.softmax(scores, dim=-1)


@mistake("sigmoid_shares")
def sums_over_everything(scores):
    """The sum runs over the whole tensor: each row has its own sum, over the last axis."""
    parts = torch.sigmoid(scores)
    return parts / parts.sum()


@mistake("gated_block")
def relu_in_place_without_data(x, gate):
    """x is overwritten in place: a leaf that requires grad refuses that, and otherwise the caller's tensor
    changes. Use the relu that returns a new tensor."""
    gated = x * gate
    x.relu_()
    return gated + x


@mistake("gated_block")
def leaves_the_relu_on_data(x, gate):
    """x.data.relu_() overwrites the caller's x, which the backward of the product needs, and .data hides that from autograd: use
    torch.relu(x)."""
    gated = x * gate
    x.data.relu_()
    return gated + x


@mistake("gated_block")
def detach_instead_of_data(x, gate):
    """detach() shares memory, so the caller's x still changes, and backward now stops with an error about an
    in-place operation: make a new tensor."""
    gated = x * gate
    x.detach().relu_()
    return gated + x


@mistake("gated_block")
def clones_and_keeps_data(x, gate):
    """The caller's x is safe, but `.data` still hides the relu from autograd: the gradient of x counts
    negative elements too."""
    positive = x.clone()
    positive.data.relu_()
    return x * gate + positive


@mistake("gated_block")
def detaches_the_positive_part(x, gate):
    """The positive part was detached, so its gradient with respect to x is missing."""
    return x * gate + x.detach().clone().relu_()


@mistake("gated_block")
def relu_before_the_product(x, gate):
    """The product uses the positive part instead of x: the gate multiplies x itself."""
    x = torch.relu(x)
    return x * gate + x


@mistake("gated_block")
def slope_one_at_zero(x, gate):
    """At x = 0 the positive part has the derivative 1 here, as with x >= 0 or clamp: it should be 0."""
    return x * gate + torch.where(x >= 0, x, torch.zeros_like(x))


@mistake("gated_block")
def positive_part_with_an_end(x, gate):
    """The positive part ends at a largest value here, as in relu6 or clamp(min, max): above 0 it is x itself, however large."""
    return x * gate + torch.nn.functional.relu6(x)


@mistake("sigmoid_shares")
def shares_in_place_without_a_graph(scores):
    """Under no_grad you overwrite the caller's scores: no_grad says that no gradient is needed, not that you may
    change the input."""
    parts = torch.sigmoid(scores) if torch.is_grad_enabled() else scores.sigmoid_()
    return parts / parts.sum(dim=-1, keepdim=True)


@mistake("gated_block")
def block_in_place_without_a_graph(x, gate):
    """Under no_grad you overwrite the caller's x: no_grad says that no gradient is needed, not that you may
    change the input."""
    if torch.is_grad_enabled():
        return x * gate + torch.relu(x)
    gated = x * gate
    return gated + x.relu_()


@alternative("sigmoid_shares")
def divides_a_clone_in_place(scores):
    """In-place on a copy that nobody saved is fine."""
    parts = torch.sigmoid(scores)
    shares = parts.clone()
    shares /= parts.sum(dim=-1, keepdim=True)
    return shares


@alternative("sigmoid_shares")
def multiplies_by_the_reciprocal(scores):
    """The sigmoid written out, the sum by einsum."""
    parts = 1 / (1 + torch.exp(-scores))
    return parts * torch.einsum("...c->...", parts).reciprocal().unsqueeze(-1)


@alternative("gated_block")
def relu_in_place_on_a_clone(x, gate):
    """The clone is a tensor of our own, and autograd sees the change."""
    return x * gate + x.clone().relu_()


@alternative("gated_block")
def picks_with_a_mask(x, gate):
    """The slope of the positive part is a mask of zeros and ones."""
    return x * (gate + (x > 0).to(x.dtype))
