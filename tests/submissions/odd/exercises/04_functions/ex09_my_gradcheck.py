"""A class with one method for each problem. Every method starts from nothing."""

import torch


class Tester:
    NAMES = "none shape values upstream layout input edit".split()

    def __init__(self, function, inputs):
        self.function = function
        self.inputs = inputs
        y, _ = self.forward()
        numbers = torch.arange(1, y.numel() + 1, dtype=torch.float64, device=y.device)
        # golden-ratio numbers: no two alike, both signs, never near zero
        numbers = torch.frac(numbers * 0.6180339887498949) + 0.25
        numbers[::2] *= -1
        self.upstream = numbers.reshape(y.shape)
        self.plain = self.entries()

    def fresh(self):
        return [
            torch.empty_like(t).copy_(t.detach()).requires_grad_(t.requires_grad) if torch.is_tensor(t) else t
            for t in self.inputs
        ]

    def forward(self):
        given = self.fresh()
        return self.function.apply(*given), given

    def entries(self, upstream=None, before_backward=lambda given: None):
        y, given = self.forward()
        before_backward(given)
        back = y.grad_fn.apply(self.upstream.clone() if upstream is None else upstream)
        back = back if type(back) is tuple else (back,)
        return tuple(torch.clone(b.detach()) if torch.is_tensor(b) else b for b in back)

    def run(self):
        if len(self.plain) != len(self.inputs):
            return ["count"]
        return [name for name in self.NAMES if getattr(self, name)()]

    def none(self):
        for t, e in zip(self.inputs, self.plain):
            if torch.is_tensor(t):
                if t.requires_grad and e is None:
                    return True
            elif e is not None:
                return True
        return False

    def usable(self):
        for n, (t, e) in enumerate(zip(self.inputs, self.plain)):
            if torch.is_tensor(t) and t.requires_grad and e is not None:
                yield n, t, e

    def shape(self):
        return any(t.shape != e.shape for _, t, e in self.usable())

    def value_at(self, n, position, step):
        given = [t.detach() if torch.is_tensor(t) else t for t in self.fresh()]
        given[n][position] += step
        return float((self.function.apply(*given) * self.upstream).sum())

    def values(self):
        h = 1e-6
        for n, t, e in self.usable():
            if e.shape != t.shape:
                continue
            for position in torch.cartesian_prod(*[torch.arange(s) for s in t.shape]).reshape(-1, t.dim()).tolist() if t.dim() else [()]:
                position = tuple(position)
                a, b, c = (self.value_at(n, position, s) for s in (-h, 0.0, h))
                if abs((c - b) - (b - a)) / h > 1e-3:
                    continue
                slope = (c - a) / (2 * h)
                if not (e[position] - slope).abs() <= 1e-5 + 1e-4 * abs(slope):
                    return True
        return False

    def upstream_(self):
        mine = self.upstream.clone()
        self.entries(mine)
        return bool((mine != self.upstream).any())

    def other(self, entries):
        for a, b in zip(self.plain, entries):
            if (a is None) != (b is None):
                return True
            if a is not None and (a.shape != b.shape or bool(((a - b).abs() > 1e-7 * (1 + a.abs())).any())):
                return True
        return len(entries) != len(self.plain)

    def layout(self):
        if self.upstream.dim() < 2:
            return False
        try:
            return self.other(self.entries(self.upstream.mT.contiguous().mT))
        except Exception:
            return True

    def input(self):
        y, given = self.forward()
        y.grad_fn.apply(self.upstream.clone())
        return any(torch.is_tensor(t) and bool((t.detach() != g.detach()).any()) for t, g in zip(self.inputs, given))

    def edit(self):
        for n, _, _ in ((n, t, None) for n, t in enumerate(self.inputs) if torch.is_tensor(t) and t.requires_grad):

            def change(given):
                with torch.no_grad():
                    given[n].copy_(given[n] * 2 + 5.5)

            try:
                if self.other(self.entries(before_backward=change)):
                    return True
            except RuntimeError:
                pass
        return False


def my_gradcheck(function, inputs):
    tester = Tester(function, inputs)
    # `upstream` the tensor hides `upstream` the method: the method has an underscore
    def problem(name):
        return (tester.upstream_ if name == "upstream" else getattr(tester, name))()

    if len(tester.plain) != len(inputs):
        return ["count"]
    return [name for name in Tester.NAMES if problem(name)]
