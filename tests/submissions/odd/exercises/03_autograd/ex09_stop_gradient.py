import torch


class _Round(torch.autograd.Function):
    @staticmethod
    def forward(ctx, t):
        return t.round()

    @staticmethod
    def backward(ctx, g):
        return g


class _Center(torch.autograd.Function):
    @staticmethod
    def forward(x):
        n = x.size(0)
        return x - x.sum(0) / n

    @staticmethod
    def setup_context(ctx, inputs, output):
        pass

    @staticmethod
    def backward(ctx, g):
        return g


straight_through_round = lambda x: _Round.apply(x)  # noqa: E731
center_with_fixed_mean = _Center.apply


def td_loss(v_now, v_next, reward, gamma):
    n = v_now.numel()
    target = torch.add(reward.data, v_next.data, alpha=gamma)
    return torch.dist(v_now, target, 2).square().div(n) if not v_now.requires_grad else (v_now - target).pow(2).sum() / n
