"""Known mistakes and unusual but correct solutions for predictions, mean_squared_error and after_one_step."""

from torchdojo.variants import alternative, mistake

HINTS = (
    "Each of the three functions is one formula. The first one is in its docstring.",
    "The error of a point is its prediction minus its target. Square all errors, then take the mean. A step subtracts, because the gradient "
    "points to where the loss grows.",
    "Multiply w by X and add b. Subtract, square, and call mean(). From p, subtract the product of lr and grad.",
)
WITHOUT_A_GRAPH = "the tensors have no graph, and none is asked for"
EQUIVALENT = {
    'swap_operands: return ((y - predicted) ** 2).mean()': "the square of a difference has no sign",
    'add_detach: return (w * X + b).detach()': WITHOUT_A_GRAPH,
    'add_detach: return ((predicted - y) ** 2).mean().detach()': WITHOUT_A_GRAPH,
    'add_detach: return (p - lr * grad).detach()': WITHOUT_A_GRAPH,
}


slope_and_intercept_change_places = mistake.edited("return w * X + b", "return b * X + w",
    "You swapped w and b: w multiplies X.")

without_the_intercept = mistake.edited("return w * X + b", "return w * X",
    "b is missing: add it to each prediction.")

not_squared = mistake.edited("((predicted - y) ** 2).mean()", "(predicted - y).mean()",
    "You didn't square the differences, so positive and negative ones cancel.",
    common=True,
    pitfall="The mean of the differences can be 0")

absolute_values = mistake.edited("((predicted - y) ** 2).mean()", "(predicted - y).abs().mean()",
    "Your error is the mean of the absolute differences: it must be the mean of their squares.")

squared_after_the_mean = mistake.edited("((predicted - y) ** 2).mean()", "(predicted - y).mean() ** 2",
    "You squared the mean: square each difference first.",
    pitfall="The square comes before the mean")

summed = mistake.edited("((predicted - y) ** 2).mean()", "((predicted - y) ** 2).sum()",
    "You added up the squares: take their mean.")

half_of_it = mistake.edited("((predicted - y) ** 2).mean()", "((predicted - y) ** 2).mean() / 2",
    "Your error is half of the mean: leave out the factor 1/2.")

uphill = mistake.edited("p - lr * grad", "p + lr * grad",
    "Your step goes up: subtract lr * grad.",
    common=True)

without_the_learning_rate = mistake.edited("p - lr * grad", "p - grad",
    "The learning rate is missing: subtract lr * grad.")

the_move_alone = mistake.edited("p - lr * grad", "-lr * grad",
    "You returned the move alone: add it to p.")

in_place = mistake.edited("return p - lr * grad", "p -= lr * grad\nreturn p",
    "Your step changes p itself. Return p - lr * grad, which makes a new tensor.")

the_method = alternative.edited("((predicted - y) ** 2).mean()", "(y - predicted).square().mean()",
    "The other direction, and a method for the square.")

by_pytorch = alternative.edited("((predicted - y) ** 2).mean()", "torch.nn.functional.mse_loss(predicted, y)",
    "PyTorch's own function.")

sub_with_alpha = alternative.edited("p - lr * grad", "torch.sub(p, grad, alpha=lr)",
    "A single operation of PyTorch.")

addcmul = alternative.edited("return w * X + b", "return torch.addcmul(b, w, X)",
    "One operation, broadcast.")

root_of_the_mean = mistake.edited("((predicted - y) ** 2).mean()", "((predicted - y) ** 2).mean().sqrt()",
    "Your error is the square root of the mean: leave out the root.")

matrix_product = mistake.edited("return w * X + b", "return X @ w + b",
    "w is a single number, and a matrix product with it fails: multiply with *.")

squares_one_of_the_two = mistake.edited("((predicted - y) ** 2).mean()", "(predicted - y ** 2).mean()",
    "You squared y before the subtraction: put the difference in parentheses, then square it.")

the_gradient_step_alone = mistake.edited("p - lr * grad", "lr * grad",
    "You returned lr * grad alone: subtract it from p.")

multiplies_p = mistake.edited("p - lr * grad", "p * (1 - lr * grad)",
    "Your step is multiplied by p: subtract lr * grad itself.")
