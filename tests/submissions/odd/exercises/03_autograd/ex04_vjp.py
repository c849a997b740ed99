import torch


class VJP:
    """v stands outside as a hook: scale the gradient of a sum where it enters the output."""

    def __init__(self, f):
        self.f = f

    def __call__(self, x, v):
        with torch.inference_mode(False), torch.enable_grad():
            me = torch.nn.Parameter(x.data.clone())
            out = self.f(me)
            if list(out.size()) != list(v.size()):
                raise ValueError("v has shape %r, but f(x) has %r" % (tuple(v.size()), tuple(out.size())))
            # + 0 * me.sum(): so that there is always a way back to me
            scalar = torch.einsum("i,i->", out.flatten(), v.data.flatten()) + 0 * me.sum()
            return torch.autograd.grad([scalar], [me])[0].data


def vjp(f, x, v):
    return VJP(f)(x, v)
