"""Functions 9 of 9: write the tester, a gradcheck that sees what you returned.

Difficulty 5 of 5, about 30 minutes.
"""

import torch


def my_gradcheck(function: type[torch.autograd.Function], inputs: tuple) -> list[str]:
    """Return the names of the problems that the gradients of an autograd Function have at these inputs.

    Arguments:
        function    a subclass of torch.autograd.Function whose forward returns one float64 tensor
        inputs      the arguments of function.apply, in order. Float64 tensors are differentiated if they
                    require a gradient (at least one does). Plain Python values are passed on.
        result      the names of the problems found, each once, in the order of the list below; [] if all is well

    Call function.apply on copies of the inputs, then `result.grad_fn.apply(upstream)`, where upstream is a
    random tensor of the result's shape with positive and negative numbers. It returns what backward
    returned: a tuple, or one bare tensor (or None), which counts as a tuple of one.

    The problems:
        "count"     The number of entries is not the number of inputs. Then the result is ["count"] alone.
        "none"      An entry is None although its input requires a gradient, or is not None although its input
                    is not a tensor.
        "shape"     The entry of an input that requires a gradient has a different shape from that input.
        "values"    An entry of the right shape is nan, or differs by more than 1e-5 + 1e-4 * abs(want) from
                    want, the central difference quotient (step 1e-6) of sum(upstream * result), at any element.

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
        An upstream gradient of ones. It cannot tell `grad * derivative` from `derivative`.

    Not allowed: torch.autograd.gradcheck, torch.autograd.functional and torch.func (then that part is not
    done): gradcheck does not see a gradient of the wrong shape, since PyTorch repairs it first.

    For full marks:
        * Four more problems, in this order after "values":
            "upstream"  backward changed the upstream gradient that it was given.
            "layout"    With the same upstream numbers in another order in memory (`upstream.mT.contiguous().mT`),
                        backward raises an exception or returns other numbers. Tried for two axes or more.
            "input"     forward or backward changed one of the input tensors.
            "edit"      One input that requires a gradient was edited in place after forward (under
                        torch.no_grad(), all its numbers changed), and backward returned other numbers instead of
                        raising RuntimeError. Tried for one input at a time.
          "Other numbers": an entry is no longer None, became None, or has another shape or other values than before.
        * Several problems at once are all named. Use fresh copies for each call, so that no problem causes another.
        * Kinks are no problem: where the difference quotients to the right and to the left disagree by more
          than 1e-3, the element is not judged. Elsewhere a wrong value is off by at least 5e-3.
        * Inputs may be 0-dim, empty, transposed, sliced, int64 or without requires_grad, on any device.
        * The caller's inputs keep their numbers, requires_grad and .grad.
        * An exception in forward, or in backward with the ordinary upstream gradient, reaches the caller.
        * The global random generator is left alone: seed your own torch.Generator.
    """
    raise NotImplementedError("04_functions/ex09_my_gradcheck: write my_gradcheck()")
