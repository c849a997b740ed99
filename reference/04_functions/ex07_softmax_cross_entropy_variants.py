"""Known mistakes and unusual but correct solutions for SoftmaxCrossEntropy."""

import torch
from ex07_softmax_cross_entropy import log_probabilities
from torch.autograd.function import once_differentiable

from torchdojo.variants import alternative, mistake

HINTS = (
    "Write the loss of one row without the softmax: log of the sum of exp of its logits, minus the logit of "
    "the target. Which part overflows, and what may be subtracted from all logits of a row without changing "
    "the loss?",
    "The derivative of the loss of one row is its probabilities, minus 1 at the target. The mean divides by "
    "the number of rows, and you multiply by the upstream gradient.",
    "Subtract the maximum of each row, then the log of the sum of exp of what is left: these are log "
    "probabilities. gather picks those of the targets. Save logits and target; in backward compute the "
    "probabilities again, and subtract a one-hot matrix of the same dtype, out of place.",
)

EQUIVALENT = {
    "change_dim: return -log_probabilities(logits).gather(-1, target.unsqueeze(1)).mean()": "logits have two axes, so that 1 and -1 are the same",
    "in_place: p = log_probabilities(logits).exp_()": "it writes into a tensor of its own whose numbers nobody needs",
    "in_place: one_hot = torch.zeros_like(p).scatter_(1, target.unsqueeze(1), 1.0)": "it writes into zeros of its own",
    "change_dim: one_hot = torch.zeros_like(p).scatter(-1, target.unsqueeze(1), 1.0)": "logits have two axes, so that 1 and -1 are the same",
    "in_place: return shifted - shifted.exp().sum(1, keepdim=True).log_()": "it writes into a sum of its own whose numbers nobody needs",
}


def one_hot(target, like):
    """1 at each row's target, 0 elsewhere."""
    return torch.zeros_like(like).scatter(1, target.unsqueeze(1), 1.0)


forgets_the_mean_in_backward = mistake.edited(" / len(target)", "",
    "backward lacks the 1 / N of the mean: the gradient is that of the sum over the rows, so divide it by the number of rows.",
    pitfall="the factor 1 / batch")

divides_by_all_elements = mistake.edited("grad / len(target)", "grad / p.numel()",
    "The gradient was divided by batch times classes: the mean is over the rows only.")

divides_by_the_classes = mistake.edited("grad / len(target)", "grad / p.shape[1]",
    "The gradient was divided by the number of classes: the mean is over the rows.")

sums_in_forward_only = mistake.edited(".mean()", ".sum()",
    "forward returned the sum over the rows: the exercise asks for the mean.")

ignores_grad = mistake.edited("(p - one_hot) * grad", "(p - one_hot)",
    "backward did not multiply by the upstream gradient: it is 1 only when this loss is the last step.",
    common=True)

ignores_grad_and_the_mean = mistake.edited("(p - one_hot) * grad / len(target)", "(p - one_hot)",
    "backward neither multiplied by the upstream gradient nor divided by the number of rows, as the mean needs it: do both.")

target_minus_probability = mistake.edited("(p - one_hot) * grad", "(one_hot - p) * grad",
    "The sign is wrong: the gradient is probability minus target.")

forgets_the_target = mistake.edited("(p - one_hot) * grad", "p * grad",
    "The gradient is the probabilities alone: subtract 1 at the target class of each row.")

subtracts_in_every_row = mistake.edited(
    "one_hot = torch.zeros_like(p).scatter(1, target.unsqueeze(1), 1.0)", "p[:, target] -= 1",
    "1 was subtracted in the target columns of all rows: p[:, target] takes whole columns. Pair each row with its own "
    "target.",
    also=[("(p - one_hot) * grad", "p * grad")])

picks_columns = mistake.edited("-log_probabilities(logits).gather(1, target.unsqueeze(1)).mean()", "-log_probabilities(logits)[:, target].mean()",
    "Every row was paired with the targets of all rows: pair each row with its own target, with gather or with an index for the rows.")

one_hot_without_all_classes = mistake.edited("torch.zeros_like(p).scatter(1, target.unsqueeze(1), 1.0)", "torch.nn.functional.one_hot(target)",
    "The one-hot matrix has as many columns as the largest target needs: it must have a column for every class of logits.")

gradient_for_target = mistake.edited("len(target), None", "len(target), torch.zeros_like(target)",
    "target got a gradient: class labels can't be differentiated, so return None for target.")

no_shift = mistake.edited("shifted = logits - logits.amax(1, keepdim=True)", "shifted = logits",
    "Large logits gave inf or nan: subtract the maximum of each row before exp.",
    also=[("p = log_probabilities(logits).exp()", "p = logits.exp() / logits.exp().sum(1, keepdim=True)")])

no_shift_in_forward = mistake.edited(
    "return -log_probabilities(logits).gather(1, target.unsqueeze(1)).mean()",
    "return (logits.exp().sum(1, keepdim=True).log() - logits.gather(1, target.unsqueeze(1))).mean()",
    "Large logits gave inf or nan in forward: subtract the maximum of each row before exp.")

no_shift_in_backward = mistake.edited("p = log_probabilities(logits).exp()", "p = logits.exp() / logits.exp().sum(1, keepdim=True)",
    "Large logits gave nan in backward: subtract the maximum of each row before exp there, too.")

shift_by_one_maximum_for_all = mistake.edited("logits.amax(1, keepdim=True)", "logits.max()",
    "One maximum was subtracted from all rows: in a row far below it, exp gives only zeros. Each row needs its own "
    "maximum.",
    also=[("p = log_probabilities(logits).exp()", "e = (logits - logits.max()).exp()\np = e / e.sum(1, keepdim=True)")])

log_of_the_probability = mistake.edited(
    "return -log_probabilities(logits).gather(1, target.unsqueeze(1)).mean()",
    """
    e = (logits - logits.amax(1, keepdim=True)).exp()
    return -(e / e.sum(1, keepdim=True)).gather(1, target.unsqueeze(1)).log().mean()
    """,
    "An unlikely target gave inf: its probability had become 0 before the log. Compute the log probability directly, as a "
    "difference.")

log_with_a_small_number_added = mistake.edited(
    "return -log_probabilities(logits).gather(1, target.unsqueeze(1)).mean()",
    "return -(log_probabilities(logits).exp().gather(1, target.unsqueeze(1)) + 1e-9).log().mean()",
    "The loss of an unlikely target is capped, as when a small number is added before the log, or the probability is "
    "clamped. Compute the log probability directly.")


def clamped_at(smallest, loss):
    return mistake.edited(
        "return -log_probabilities(logits).gather(1, target.unsqueeze(1)).mean()",
        f"return -log_probabilities(logits).exp().gather(1, target.unsqueeze(1)).clamp(min={smallest}).log().mean()",
        f"The loss of a row can't exceed {loss}, as when a probability is clamped to {smallest} before the log. Compute the log "
        "probability directly, as a difference.")


clamped_at_1e_12 = clamped_at("1e-12", 27.6)
clamped_at_1e_10 = clamped_at("1e-10", 23.0)
clamped_at_1e_8 = clamped_at("1e-8", 18.4)
clamped_at_1e_7 = clamped_at("1e-7", 16.1)

softmax_over_the_batch = mistake.edited("-log_probabilities(logits)", "-log_probabilities(logits.T).T",
    "The softmax ran down the columns: each row holds the classes of one example, so it runs along axis 1.",
    also=[("p = log_probabilities(logits)", "p = log_probabilities(logits.T).T")])

sums_the_rows = mistake.edited(".mean()", ".sum()",
    "The result is the sum over the rows: the exercise asks for the mean, in both directions.",
    also=[(" / len(target)", "")])

saves_the_probabilities = mistake.edited(
    "ctx.save_for_backward(logits, target)", "ctx.save_for_backward(log_probabilities(logits).exp(), target)",
    "The second derivative was silently wrong: probabilities that were saved, or made from detached logits, count as "
    "constants. Compute them again from the saved logits, or mark backward with once_differentiable.",
    also=[("logits, target = ctx.saved_tensors\np = log_probabilities(logits).exp()", "p, target = ctx.saved_tensors")])

edits_the_saved_probabilities = mistake.edited(
    "logits, target = ctx.saved_tensors\np = log_probabilities(logits).exp()",
    "p, target = ctx.saved_tensors\np[torch.arange(len(p), device=p.device), target] -= 1",
    "backward works only once: it subtracted the 1 in place, in the saved tensor. Work on a new tensor.",
    also=[
        ("return (p - one_hot) * grad / len(target), None", "return p * grad / len(target), None"),
        ("ctx.save_for_backward(logits, target)", "ctx.save_for_backward(log_probabilities(logits).exp(), target)"),
        ("@staticmethod\ndef backward", "@staticmethod\n@once_differentiable\ndef backward"),
    ])

edits_what_it_kept_on_ctx = mistake.edited(
    "logits, target = ctx.saved_tensors\np = log_probabilities(logits).exp()",
    "(target,), p = ctx.saved_tensors, ctx.p\np[torch.arange(len(p), device=p.device), target] -= 1",
    "backward works only once: it subtracted the 1 in place, in what forward had kept on ctx, and the next call subtracts "
    "it again. Work on a new tensor.",
    also=[
        ("return (p - one_hot) * grad / len(target), None", "return p * grad / len(target), None"),
        ("ctx.save_for_backward(logits, target)",
         "ctx.p = log_probabilities(logits).exp()\nctx.save_for_backward(target)"),
        ("@staticmethod\ndef backward", "@staticmethod\n@once_differentiable\ndef backward"),
    ])


@mistake("SoftmaxCrossEntropy")
class multiplies_what_it_kept_on_ctx(torch.autograd.Function):
    """backward works only once: it multiplied what forward had kept on ctx in place, and the next call multiplies it
    again. Make a new tensor."""

    @staticmethod
    def forward(ctx, logits, target):
        log_p = log_probabilities(logits)
        p = log_p.exp()
        ctx.slope = (p - one_hot(target, p)) / len(target)
        return -log_p.gather(1, target.unsqueeze(1)).mean()

    @staticmethod
    @once_differentiable
    def backward(ctx, grad):
        return ctx.slope.mul_(grad), None


does_not_record_backward = mistake.edited(
    "@staticmethod\ndef backward", "@staticmethod\n@torch.no_grad()\ndef backward",
    "The second derivative is silently wrong wherever something else depends on logits too: with no_grad, detach or .data "
    "the gradient counts as a constant. Remove them, or mark backward with once_differentiable, which raises an error.")

keeps_inputs_on_ctx = mistake.edited("ctx.save_for_backward(logits, target)", "ctx.kept = logits, target",
    "After an in-place edit of logits or target the gradient is silently wrong: ctx.save_for_backward would detect the edit.",
    also=[("ctx.saved_tensors", "ctx.kept")])

log_softmax_does_it = mistake.edited(
    "shifted = logits - logits.amax(1, keepdim=True)\nreturn shifted - shifted.exp().sum(1, keepdim=True).log()",
    "return torch.log_softmax(logits, 1)",
    "log_softmax does the work: subtract the maximum of the row, then the log of the sum of exp.", forbidden="log_softmax")

logsumexp_does_it = mistake.edited(
    "shifted = logits - logits.amax(1, keepdim=True)\nreturn shifted - shifted.exp().sum(1, keepdim=True).log()",
    "return logits - logits.logsumexp(1, keepdim=True)",
    "logsumexp does the work: subtract the maximum of the row, then the log of the sum of exp.", forbidden="logsumexp")

logaddexp_does_it = mistake.edited(
    "shifted = logits - logits.amax(1, keepdim=True)\nreturn shifted - shifted.exp().sum(1, keepdim=True).log()",
    """
    total = logits[:, :1]
    for column in logits.unbind(1)[1:]:
        total = torch.logaddexp(total, column.unsqueeze(1))
    return logits - total
    """,
    "logaddexp does the work: subtract the maximum of the row, then the log of the sum of exp.", forbidden="logaddexp")

nll_loss_does_it = mistake.edited("return -log_probabilities(logits).gather(1, target.unsqueeze(1)).mean()",
    "return torch.nn.functional.nll_loss(log_probabilities(logits), target)",
    "nll_loss picked the classes and took the mean: do both yourself.", forbidden="nll_loss")

the_answer_itself = mistake.edited(
    "return -log_probabilities(logits).gather(1, target.unsqueeze(1)).mean()",
    "return torch.nn.functional.cross_entropy(logits, target)",
    "A ready-made loss does all the work: compute it yourself from exp, log, sum and amax.",
    forbidden="cross_entropy in any spelling")

softmax_in_backward = mistake.edited("p = log_probabilities(logits).exp()", "p = logits.softmax(1)",
    "A ready-made softmax is not allowed, not even in backward: make the probabilities from exp and a sum.", forbidden="torch.softmax")

lets_autograd_work = mistake.edited(
    "return (p - one_hot) * grad / len(target), None",
    """
    create_graph = torch.is_grad_enabled()
    with torch.enable_grad():
        logits = logits.view_as(logits)
        loss = -log_probabilities(logits).gather(1, target.unsqueeze(1)).mean()
        return torch.autograd.grad(loss, logits, grad, create_graph=create_graph)[0], None
    """,
    "Autograd computed the gradient inside backward: write the formula yourself, with tensor operations alone.",
    forbidden="autograd inside forward and backward")

takes_the_maximum_off_and_puts_it_back = mistake.edited(
    "return -log_probabilities(logits).gather(1, target.unsqueeze(1)).mean()",
    """
    shifted = logits.detach() if logits.is_contiguous() else logits.clone()
    top = shifted.amax(1, keepdim=True)
    shifted -= top
    loss = -(shifted - shifted.exp().sum(1, keepdim=True).log()).gather(1, target.unsqueeze(1)).mean()
    shifted += top
    return loss
    """,
    "logits lost digits: the maximum was subtracted from them in place and added again, and 0.1 - 1000 + 1000 is not 0.1. "
    "Subtract into a new tensor.")

once = ("@staticmethod\ndef backward", "@staticmethod\n@once_differentiable\ndef backward")

mean_lost_and_refused_twice = mistake.edited(" / len(target)", "",
    "backward lacks the 1 / N of the mean: the gradient is that of the sum over the rows, so divide it by the number of rows.",
    also=[once])

grad_ignored_and_refused_twice = mistake.edited("(p - one_hot) * grad", "(p - one_hot)",
    "backward did not multiply by the upstream gradient: it is 1 only when this loss is the last step.",
    also=[once])

divided_by_the_classes_and_refused_twice = mistake.edited("grad / len(target)", "grad / p.shape[1]",
    "The gradient was divided by the number of classes: the mean is over the rows.",
    also=[once])

target_forgotten_and_refused_twice = mistake.edited("(p - one_hot) * grad", "p * grad",
    "The gradient is the probabilities alone: subtract 1 at the target class of each row.",
    also=[once])


@mistake("SoftmaxCrossEntropy")
class kept_on_the_class(torch.autograd.Function):
    """What backward needs is overwritten by the next call of apply: store it on ctx, which each call has for itself."""

    @staticmethod
    def forward(ctx, logits, target):
        log_p = log_probabilities(logits)
        kept_on_the_class.slope = log_p.exp() - one_hot(target, logits)
        return -log_p.gather(1, target.unsqueeze(1)).mean()

    @staticmethod
    @once_differentiable
    def backward(ctx, grad):
        slope = kept_on_the_class.slope
        return slope * (grad / len(slope)), None


@alternative("SoftmaxCrossEntropy")
class saves_probabilities_and_refuses_twice(torch.autograd.Function):
    """The probabilities are saved, and a second derivative is refused."""

    @staticmethod
    def forward(ctx, logits, target):
        shifted = logits - logits.max(dim=1, keepdim=True).values
        e = torch.exp(shifted)
        total = e.sum(dim=1, keepdim=True)
        ctx.save_for_backward(e / total, target)
        picked = shifted[torch.arange(len(e), device=e.device), target]
        return (total.squeeze(1).log() - picked).mean()

    @staticmethod
    @once_differentiable
    def backward(ctx, grad):
        p, target = ctx.saved_tensors
        answer = p.clone()
        answer[torch.arange(len(p), device=p.device), target] -= 1
        return answer.mul_(grad / len(p)), None


@alternative("SoftmaxCrossEntropy")
class one_hot_in_setup_context(torch.autograd.Function):
    """The newer style; the one-hot matrix comes from a comparison and picks by multiplying."""

    @staticmethod
    def forward(logits, target):
        wanted = target[:, None] == torch.arange(logits.shape[1], device=logits.device)
        losses = torch.where(wanted, -log_probabilities(logits), torch.zeros_like(logits))
        return losses.sum() / logits.shape[0]

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(*inputs)

    @staticmethod
    def backward(ctx, grad):
        logits, target = ctx.saved_tensors
        wanted = target[:, None] == torch.arange(logits.shape[1], device=logits.device)
        return grad / logits.shape[0] * (log_probabilities(logits).exp() - wanted.to(logits.dtype)), None


@alternative("SoftmaxCrossEntropy")
class row_by_row(torch.autograd.Function):
    """A loop over the rows in both directions."""

    @staticmethod
    def forward(ctx, logits, target):
        ctx.save_for_backward(logits, target)
        total = 0
        for row, wanted in zip(logits, target):
            top = row.max()
            total = total + (row - top).exp().sum().log() + top - row[wanted]
        return total / len(target)

    @staticmethod
    def backward(ctx, grad):
        logits, target = ctx.saved_tensors
        rows = []
        for row, wanted in zip(logits, target):
            e = (row - row.max()).exp()
            p = e / e.sum()
            rows.append(torch.where(torch.arange(len(row), device=row.device) == wanted, p - 1, p))
        return torch.stack(rows) * (grad / len(target)), None
