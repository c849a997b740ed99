"""A slope collector, in the style of 1998."""

import torch
from torch.autograd import Variable


class Slopes(object):
    def __init__(self, function, numbers):
        self.function = function
        self.numbers = numbers
        self.inputs = [Variable(torch.DoubleTensor([n]).squeeze(), requires_grad=True) for n in numbers]

    def run(self):
        was = torch.is_grad_enabled()
        torch.set_grad_enabled(True)
        try:
            out = self.function(*self.inputs)
            if getattr(out, "grad_fn", None) is not None or (hasattr(out, "is_leaf") and out.requires_grad):
                out.backward()
        finally:
            torch.set_grad_enabled(was)
        return tuple(float(v.grad) if v.grad is not None else float(0) for v in self.inputs)


def derivative(f, *xs):
    answer = Slopes(f, xs).run()
    return answer if answer[1:] else answer[0]
