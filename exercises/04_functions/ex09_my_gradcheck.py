"""Functions 9 of 9: write the tester, a gradcheck that sees what you returned.

Difficulty 5 of 5, about 30 minutes.
"""

import torch


def my_gradcheck(function: type[torch.autograd.Function], inputs: tuple) -> list[str]:
    """Return the names of the problems that the gradients of an autograd Function have at these inputs.

    Arguments:
        function    a subclass of torch.autograd.Function whose forward returns one float64 tensor
        inputs      the arguments of function.apply, in order. Float64 tensors are differentiated if they
                    require a gradient (at least one does). Other tensors (float64 without requires_grad,
                    int64) and plain Python values (numbers, booleans, None, tuples) are passed on.
        result      the names of the problems found, each once, in the order of the list below; [] if all is
                    well

    Everything is about the raw gradients: call function.apply on copies of the inputs, then
    `result.grad_fn.apply(upstream)`, where upstream is a random tensor of the result's shape with positive
    and negative numbers. What comes back is what backward returned: a tuple, or one bare tensor (or None)
    if backward returned no tuple, which counts as a tuple of one. Use fresh copies for each call, so that
    one problem does not cause another.

    The problems:
        "count"     The number of entries is not the number of inputs. Then the result is ["count"] alone.
        "none"      An entry is None although its input is a tensor that requires a gradient, or an entry is
                    not None although its input is not a tensor.
        "shape"     The entry of an input that requires a gradient has another shape than this input.
        "values"    An entry of the right shape is wrong somewhere: it is nan, or differs by more than 1e-5 +
                    1e-4 * abs(want) from the central difference quotient, want, of sum(upstream * result).
                    Every element of every input that requires a gradient is tried. A step of 1e-6 to each
                    side works well.
        "upstream"  backward changed the upstream gradient that it was given.
        "layout"    With the same upstream numbers lying in memory in another order,
                    `upstream.mT.contiguous().mT`, backward raises an exception or returns other numbers
                    than before. Tried for results with two axes or more.
        "input"     forward or backward changed one of the input tensors.
        "edit"      One input tensor that requires a gradient was edited in place after forward (under
                    torch.no_grad(), all its numbers changed), and backward returned other numbers than
                    without the edit instead of raising RuntimeError. Tried for one input tensor at a time.

    "Other numbers" means: an entry that was a tensor is None or has another shape or is not close to what
    it was (or the other way round). An entry of None or of the wrong shape is not examined for "values";
    the others are.

    Kinks are not problems. Where the difference quotients to the right and to the left disagree by more
    than 1e-3, the element lies at a kink, and it is not judged, whatever its gradient. Away from kinks the
    functions given are smooth, with numbers of moderate size; a wrong value is wrong by much more than the
    limit, and a right one is well inside it. A wrong value may be as small as 5e-3. A jump is not given.

    Edge cases:
        * Inputs may be 0-dim, empty, transposed or sliced, and lie on any device: upstream goes there too.
        * The caller's inputs are left alone: numbers, requires_grad and .grad are the same afterwards.
        * An exception in forward, or in backward with an ordinary upstream gradient, is not caught: the
          caller sees it.
        * The same call gives the same answer again, and the global random generator keeps its seed: if you
          need one, seed a torch.Generator of your own, not torch.manual_seed.

    Example:
        >>> class Double(torch.autograd.Function):
        ...     @staticmethod
        ...     def forward(ctx, x):
        ...         return 2 * x
        ...     @staticmethod
        ...     def backward(ctx, grad):
        ...         return grad
        >>> my_gradcheck(Double, (torch.ones(2, dtype=torch.float64, requires_grad=True),))
        ['values']

    Pitfall:
        An upstream gradient of ones. It cannot tell `grad * slope` from `slope`.

    Not allowed: torch.autograd.gradcheck, torch.autograd.functional and torch.func: gradcheck does not see
    a gradient of the wrong shape, since PyTorch repairs it first.
    """
    raise NotImplementedError("04_functions/ex09_my_gradcheck: write my_gradcheck()")
