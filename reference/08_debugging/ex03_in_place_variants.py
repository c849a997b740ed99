"""Known mistakes and unusual but correct solutions for sigmoid_shares and gated_block."""

from torchdojo.variants import alternative, mistake

HINTS = (
    "Look for `/=`, for names that end in an underscore, and for `.data`: these lines write into memory that others still read.",
    "sigmoid keeps its own result for backward, and a product keeps both factors. If one of them is "
    "overwritten, backward has the wrong numbers; PyTorch notices unless .data hides the change.",
    "In both functions let the result of the offending line be a new tensor: divide without the equals sign, "
    "and use the relu that returns a tensor.",
)


writes_in_place_twice = mistake.edited(
    "return parts / parts.sum(dim=-1, keepdim=True)", "parts /= parts.sum(dim=-1, keepdim=True)\nreturn parts",
    "The in-place division overwrites what sigmoid's backward needs: divide out of place. The in-place relu overwrites "
    "the caller's x: use torch.relu(x).",
    also=[("return x * gate + torch.relu(x)",
        """
        gated = x * gate
        x.data.relu_()
        return gated + x
        """)])

divides_in_place = mistake.edited(
    "return parts / parts.sum(dim=-1, keepdim=True)", "parts /= parts.sum(dim=-1, keepdim=True)\nreturn parts",
    "The in-place division overwrites the sigmoids, which backward needs, and a copy made later does not help: divide "
    "out of place.")

hides_the_division_in_data = mistake.edited(
    "return parts / parts.sum(dim=-1, keepdim=True)", "parts.data /= parts.data.sum(dim=-1, keepdim=True)\nreturn parts",
    "`.data` silences the error, but backward still reads the overwritten sigmoids and gives a wrong gradient: make a new "
    "tensor by dividing.",
    pitfall="`.data` hides the change")

detaches_the_sum = mistake.edited("parts.sum(dim=-1, keepdim=True)", "parts.sum(dim=-1, keepdim=True).detach()",
    "The sum counts as a constant, so its part of the gradient is missing: each score changes the sum as well.")

detaches_everything = mistake.edited("torch.sigmoid(scores)", "torch.sigmoid(scores).detach()",
    "The error is gone because the graph is gone: the result must still give scores a gradient.")

clones_after_the_damage = mistake.edited(
    "return parts / parts.sum(dim=-1, keepdim=True)", "parts /= parts.sum(dim=-1, keepdim=True)\nreturn parts.clone()",
    "The in-place division overwrites the sigmoids, which backward needs, and a copy made later does not help: divide "
    "out of place.")

works_on_the_callers_tensor = mistake.edited("torch.sigmoid(scores)", "scores.detach().sigmoid_()",
    "You overwrote the caller's scores: copy them first, or don't change anything in place.")

uses_softmax = mistake.edited("parts / parts.sum(dim=-1, keepdim=True)", "torch.softmax(scores, dim=-1)",
    "This is softmax, another formula: the shares are those of the sigmoids.")

sums_over_everything = mistake.edited("parts.sum(dim=-1, keepdim=True)", "parts.sum()",
    "The sum runs over the whole tensor: each row has its own sum, over the last axis.")

relu_in_place_without_data = mistake.edited("return x * gate + torch.relu(x)",
    """
    gated = x * gate
    x.relu_()
    return gated + x
    """,
    "x is overwritten in place: a leaf that requires grad raises an error, and otherwise the caller's tensor changes. Use the "
    "relu that returns a new tensor.")

leaves_the_relu_on_data = mistake.edited("return x * gate + torch.relu(x)",
    """
    gated = x * gate
    x.data.relu_()
    return gated + x
    """,
    "The relu overwrites the caller's x, which the backward of the product needs, and .data hides that from autograd: "
    "use torch.relu(x).")

detach_instead_of_data = mistake.edited("return x * gate + torch.relu(x)",
    """
    gated = x * gate
    x.detach().relu_()
    return gated + x
    """,
    "The caller's x still changes, because detach() and no_grad() copy nothing, and backward stops with an error: make a "
    "new tensor.")

clones_and_keeps_data = mistake.edited("return x * gate + torch.relu(x)",
    """
    positive = x.clone()
    positive.data.relu_()
    return x * gate + positive
    """,
    "The caller's x is safe, but autograd does not see the relu, as with .data: the gradient of x counts negative "
    "elements, too.")

detaches_the_positive_part = mistake.edited("torch.relu(x)", "torch.relu(x.detach())",
    "The positive part counts as a constant, so its gradient with respect to x is missing.")

relu_before_the_product = mistake.edited("return x * gate + torch.relu(x)", "x = torch.relu(x)\nreturn x * gate + x",
    "The product uses the positive part instead of x: the gate multiplies x itself.")

slope_one_at_zero = mistake.edited("torch.relu(x)", "torch.where(x >= 0, x, torch.zeros_like(x))",
    "At x = 0 the positive part has the derivative 1 here, as with x >= 0 or clamp: it should be 0.")

positive_part_with_an_end = mistake.edited("torch.relu(x)", "torch.nn.functional.relu6(x)",
    "The positive part ends at a largest value here, as in relu6 or clamp(min, max): above 0 it is x itself, however large.")

shares_in_place_without_a_graph = mistake.edited(
    "torch.sigmoid(scores)", "torch.sigmoid(scores) if torch.is_grad_enabled() else scores.sigmoid_()",
    "Under no_grad you overwrite the caller's scores: no_grad says that no gradient is needed, not that you may change the input.")

block_in_place_without_a_graph = mistake.edited("torch.relu(x)", "(torch.relu(x) if torch.is_grad_enabled() else x.relu_())",
    "Under no_grad you overwrite the caller's x: no_grad says that no gradient is needed, not that you may change the input.")

divides_a_clone_in_place = alternative.edited("return parts / parts.sum(dim=-1, keepdim=True)",
    """
    shares = parts.clone()
    shares /= parts.sum(dim=-1, keepdim=True)
    return shares
    """,
    "In-place on a copy that nobody saved is fine.")

multiplies_by_the_reciprocal = alternative.edited("torch.sigmoid(scores)", "1 / (1 + torch.exp(-scores))",
    "The sigmoid written out, the sum by einsum.",
    also=[("parts / parts.sum(dim=-1, keepdim=True)", 'parts * torch.einsum("...c->...", parts).reciprocal().unsqueeze(-1)')])

relu_in_place_on_a_clone = alternative.edited("torch.relu(x)", "x.clone().relu_()",
    "The clone is a tensor of our own, and autograd sees the change.")

picks_with_a_mask = alternative.edited("x * gate + torch.relu(x)", "x * (gate + (x > 0).to(x.dtype))",
    "The slope of the positive part is a mask of zeros and ones.")

sums_without_keepdim = mistake.edited("parts.sum(dim=-1, keepdim=True)", "parts.sum(dim=-1)",
    "The sums have lost their axis, so they don't line up with the rows: keep it with keepdim=True.")

sums_over_the_rows = mistake.edited("dim=-1", "dim=0",
    "The sum runs over the first axis: each row has its own sum, over the last axis.")

adds_the_absolute_value = mistake.edited("torch.relu(x)", "x.abs()",
    "You added the absolute value of x: the positive part of a negative number is 0.")

relu_of_everything = mistake.edited("x * gate + torch.relu(x)", "torch.relu(x * gate + x)",
    "The relu covers the whole sum: it belongs to x alone, not to x * gate.")

multiplies_the_positive_part = mistake.edited("x * gate + torch.relu(x)", "torch.relu(x) * gate + torch.relu(x)",
    "The product uses the positive part instead of x: the gate multiplies x itself.")

forgets_the_gated_part = mistake.edited("x * gate + torch.relu(x)", "x + torch.relu(x)",
    "gate has no effect: the first part is x times gate.")
