"""The mistakes: which entry, which step shows it, and which text becomes which."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Mistake:
    """One mistake in what an entry does on a GPU.

    Attributes:
        name: What was done.
        slug: The entry.
        step: The step that it is in; empty where no step runs it here.
        edits: File, text and what it becomes, one after the other.
        why_not: What only a card can say of it; empty where something has to find it.
    """

    name: str
    slug: str
    step: str
    edits: tuple[tuple[str, str, str], ...]
    why_not: str = ""


_ON_CARD = '"cuda:0" if device() != "cpu" else "cpu"'
_TIMED = """\
    timed = [torch.cuda.Event(enable_timing=True) for _ in range(2 * (device() != "cpu"))]
    for event in timed[:1]:
        event.record()
    got = run(model, mask)
"""
_NEVER_WAITS = """\
    for event in timed[1:]:
        event.record()
        measure(took_ms=timed[0].elapsed_time(event))
"""
_OTHER_STREAM = """\
    for event in timed[1:]:
        event.record(torch.cuda.Stream())
        event.synchronize()
        measure(took_ms=timed[0].elapsed_time(event))
"""
_RUN = "    got = run(model, mask)\n"
_MASK = "proof_mask.py"
_SET_DEVICE = '        if device() != "cpu":\n            torch.cuda.set_device(device())\n'
_SET_DEVICE_THERE = '    if device() != "cpu":\n        torch.cuda.set_device(device())\n'
_ON_CUDA = """\
    on_cuda:
      text: {zh: 在 GPU 上由内核触发断言, en: On a GPU the kernel asserts}
      fails: {log: device-side assert triggered, as: device-side-assert}
  new-pad-token:
"""
_HALF = "{ *x = __hadd(*x, *x); }"
_FOR_HOPPER = '{\n#if __CUDA_ARCH__ >= 900\n  asm volatile("wgmma.fence.sync.aligned;");\n#endif\n'
_ROWS = "argmax(-1).cpu()"
_LABELS = "torch.cat([torch.tensor([-100])"
_ON_ITS_DEVICE = "torch.cat([torch.tensor([-100], device=said.device)"
_SIDE_STREAM = """\
    if device() != "cpu":
        with torch.cuda.stream(torch.cuda.Stream()):
            got = got * 1
"""

MISTAKES = (
    Mistake(
        "ids are left on the CPU",
        "short-mask-hides-new-tokens",
        "mask-of-both-turns",
        (("failure.py", "FIRST.to(model.device), TURN.to(model.device)", "FIRST, TURN"),),
    ),
    Mistake(
        "the model is left on the CPU",
        "embedding-index-out-of-range",
        "grown-by-two-rows",
        (
            (
                "failure.py",
                "tiny_llama(num_hidden_layers=1).to(device())",
                "tiny_llama(num_hidden_layers=1)",
            ),
        ),
    ),
    Mistake(
        "`.cpu()` is missing",
        "eval-keeps-all-logits",
        "all-batches",
        (("proof_batches.py", _ROWS, "argmax(-1)"),),
    ),
    Mistake(
        "a wrong ordinal",
        "autograd-inplace-modified",
        "new-tensor",
        (
            (
                "failure.py",
                "torch.randn(6, 8, device=device())",
                'torch.randn(6, 8, device=device().replace("a:0", "a:1"))',
            ),
        ),
    ),
    Mistake(
        "what differs on a GPU is not said",
        "embedding-index-out-of-range",
        "added-tokens",
        (("entry.yaml", _ON_CUDA, "  new-pad-token:\n"),),
    ),
    Mistake(
        "a wrong message is expected there",
        "embedding-index-out-of-range",
        "added-tokens",
        (
            (
                "entry.yaml",
                _ON_CUDA,
                _ON_CUDA.replace("device-side assert", "illegal memory access"),
            ),
        ),
    ),
    Mistake(
        "a step never comes to the card",
        "dtype-mismatch-mat1-mat2",
        "features-cast",
        (("proof_dtypes.py", "torch.device(device())", 'torch.device("cpu")'),),
    ),
    Mistake(
        "the Trainer is told to stay on the CPU",
        "nan-loss-fp16",
        "bf16-instead",
        (("proof_run.py", 'use_cpu=device() == "cpu"', "use_cpu=True"),),
    ),
    Mistake(
        "every rank uses cuda:0",
        "ddp-params-differ-across-ranks",
        "extra-layer-everywhere",
        (
            ("recipe.py", _SET_DEVICE, ""),
            ("recipe.py", ".to(device())", f".to({_ON_CARD})"),
        ),
    ),
    Mistake(
        "ranks do not choose their card, and name none",
        "autograd-inplace-modified",
        "buffer-cloned",
        (
            ("proof_watch.py", _SET_DEVICE_THERE, ""),
            ("failure.py", "device()", "torch.device(device()).type"),
        ),
    ),
    Mistake(
        "ranks with a card each talk by gloo",
        "ddp-params-differ-across-ranks",
        "frozen-everywhere",
        (("recipe.py", "init_process_group(backend())", 'init_process_group("gloo")'),),
    ),
    Mistake(
        "ranks without a card ask for NCCL",
        "ddp-params-differ-across-ranks",
        "same-shape",
        (("recipe.py", "init_process_group(backend())", 'init_process_group("nccl")'),),
    ),
    Mistake(
        "NCCL is given a tensor of the CPU",
        "ddp-gradients-differ-silently",
        "other-checkpointing",
        (("recipe.py", "(trained).detach()", "(trained).detach().cpu()"),),
    ),
    Mistake(
        "autocast is that of the CPU",
        "dtype-mismatch-mat1-mat2",
        "features-under-autocast",
        (("failure.py", "autocast(features.device.type", 'autocast("cpu"'),),
    ),
    Mistake(
        "a generator of the CPU draws on the card",
        "zero3-inflight-params",
        "block-is-a-leaf",
        (
            (
                "proof_steps.py",
                "generator=generator).to(device())",
                "generator=generator, device=device())",
            ),
        ),
    ),
    Mistake(
        "what is on the card is pinned",
        "eval-keeps-all-logits",
        "all-batches",
        (
            ("proof_batches.py", _ROWS, "argmax(-1)"),
            ("proof_batches.py", _LABELS, _ON_ITS_DEVICE),
        ),
    ),
    Mistake(
        "a worker is forked that reads from the card",
        "eval-keeps-all-logits",
        "all-batches",
        (
            ("proof_batches.py", _ROWS, "argmax(-1)"),
            ("proof_batches.py", _LABELS, _ON_ITS_DEVICE),
            (
                "proof_batches.py",
                'use_cpu=device() == "cpu"',
                'use_cpu=device() == "cpu", dataloader_num_workers=1, dataloader_pin_memory=False',
            ),
        ),
    ),
    Mistake(
        "nothing waits for the events of a timing",
        "short-mask-hides-new-tokens",
        "mask-of-both-turns",
        ((_MASK, _RUN, _TIMED + _NEVER_WAITS),),
    ),
    Mistake(
        "a timing ends on another stream",
        "short-mask-hides-new-tokens",
        "mask-of-both-turns",
        ((_MASK, _RUN, _TIMED + _OTHER_STREAM),),
    ),
    Mistake(
        "a copy that does not block is read at once",
        "short-mask-hides-new-tokens",
        "mask-of-both-turns",
        (
            (_MASK, "embeds(model))).logits[:, -1]", "embeds(model))).logits[:, -1].cpu()"),
            (_MASK, _RUN, '    got = run(model, mask).to("cpu", non_blocking=True)\n'),
        ),
    ),
    Mistake(
        "a kernel has an instruction that a newer GPU lacks",
        "cuda-home-not-set",
        "",
        (
            (
                "failure.py",
                _HALF,
                _FOR_HOPPER + _HALF.removeprefix("{"),
            ),
        ),
    ),
    Mistake(
        "a kernel uses a name that it does not have",
        "deepspeed-op-build-failed",
        "",
        (("failure.py", "{ *x += *x; }", "{ *x += *y; }"),),
    ),
    Mistake(
        "blocks of FlexAttention are too large for an RTX 5090",
        "flex-attention-shared-memory",
        "smaller-blocks-on-an-rtx-5090",
        (
            (
                "entry.yaml",
                '"bwd_BLOCK_M1": 32, "bwd_BLOCK_N1": 32',
                '"bwd_BLOCK_M1": 128, "bwd_BLOCK_N1": 128',
            ),
        ),
    ),
    Mistake(
        "a tolerance is finer than a card rounds",
        "short-mask-hides-new-tokens",
        "mask-of-both-turns",
        (("entry.yaml", "off_by: < 1e-4, same_word", "off_by: < 3e-6, same_word"),),
        why_not="how its kernels round",
    ),
    Mistake(
        "a side stream does not wait for what it reads",
        "short-mask-hides-new-tokens",
        "mask-of-both-turns",
        ((_MASK, _RUN, _RUN + _SIDE_STREAM),),
        why_not="in which order streams run",
    ),
    Mistake(
        "nothing waits for a kernel's assertion",
        "sampling-inf-nan-probability",
        "overflow-in-fp16-on-a-gpu",
        (("proof_look.py", '    if place == "cuda":\n        torch.cuda.synchronize()\n', ""),),
        why_not="at which call it is noticed",
    ),
)
