"""Autograd 3 of 10: predict what autograd records, before you run it.

Difficulty 2 of 5, about 12 minutes.

A quiz: replace every None in ANSWERS with one of the words allowed for it, in lower case. Each question
starts again from these three tensors:

    x = torch.tensor([1.0, 2.0], dtype=torch.float32, requires_grad=True)
    w = torch.tensor([3.0, 4.0], dtype=torch.float32, requires_grad=True)
    data = torch.tensor([5.0, 6.0], dtype=torch.float32)

Questions k01 to k12, "what is t?":

    "leaf"      t requires grad and no recorded operation made it: backward can fill t.grad
    "result"    t requires grad and was made by a recorded operation: t.grad_fn is that operation
    "constant"  t does not require grad
    "error"     the line raises a RuntimeError

Questions g01 to g08, "is that .grad filled at the end?":

    "filled"    it holds a tensor
    "empty"     it is None
    "error"     one of the lines raises a RuntimeError

The grader runs the lines and compares; a question left at None counts as not done yet. Decide first, then try
the lines in a shell if you wish.

Example:
    >>> sorted(ANSWERS)[:3]
    ['g01', 'g02', 'g03']

Pitfall:
    Tensors are judged by how they were made, not by their numbers: x + 0 equals x, and is not x.
"""

ANSWERS: dict[str, str | None] = {
    # What is t?  "leaf", "result", "constant" or "error"
    "k01": None,  # t = data * 2
    "k02": None,  # t = x + 0
    "k03": None,  # t = x.clone()
    "k04": None,  # t = x.detach()
    "k05": None,  # t = x.double()
    "k06": None,  # t = x.float()
    "k07": None,  # t = x.detach().clone().requires_grad_()
    "k08": None,  # t = x > 1
    "k09": None,  # t = torch.tensor([1, 2], requires_grad=True)
    "k10": None,  # with torch.no_grad(): t = x * 2
    "k11": None,  # with torch.no_grad(): t = torch.ones(2, requires_grad=True)
    "k12": None,  # t = torch.ones(2, requires_grad=True) * 0.1
    # Is that .grad filled at the end?  "filled", "empty" or "error"
    "g01": None,  # (x * w).sum().backward()                             w.grad?
    "g02": None,  # y = x * 2; y.sum().backward()                        y.grad?
    "g03": None,  # y = x * 2; y.retain_grad(); y.sum().backward()       y.grad?
    "g04": None,  # (x.detach() * w).sum().backward()                    x.grad?
    "g05": None,  # (x * 2).backward()                                   x.grad?
    "g06": None,  # x.sum().detach().backward()                          x.grad?
    "g07": None,  # y = (x**2).sum(); y.backward(); y.backward()         x.grad?
    "g08": None,  # y = (x + 1).sum(); y.backward(); y.backward()        x.grad?
}
