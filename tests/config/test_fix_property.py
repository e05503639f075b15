"""Whatever a file looks like, ``--fix`` keeps its comments and the order of its keys."""

from __future__ import annotations

from pathlib import Path

import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from fixbook.config.check import check
from fixbook.config.patch import mended
from fixbook.config.read import parse

WORDS = st.text("abcdefgh xyz", min_size=1, max_size=12).map(str.strip).filter(bool)
SCALARS = st.one_of(
    st.sampled_from(["true", "false", "~", "12", "0.5", "1e-4", "'single'", '"double # no"', "on"]),
    WORDS,
)
# Each spelling that is mended, with the one it becomes.
MENDED = {
    "sequence_length": ("2048", "sequence_len"),
    "gradient_chekpointing": ("true", "gradient_checkpointing"),
    "evaluation_strategy": ("steps", "eval_strategy"),
    "dataset_processes": ("4", "dataset_num_proc"),
    "max_packed_sequence_len": ("2048", None),
}
NEUTRAL = [
    "wandb_name",
    "hub_model_id",
    "output_dir",
    "dataset_prepared_path",
    "wandb_entity",
    "tokenizer_config",
]


@st.composite
def lines_of(draw: st.DrawFn) -> str:
    keys = draw(st.permutations([*MENDED, *NEUTRAL]))
    width = draw(st.sampled_from([0, 2]))
    gap = draw(st.sampled_from([" ", "  "]))
    out = [
        "base_model: a/b",
        "datasets:",
        f"{' ' * width}- path: c",
        f"{' ' * width}  type: alpaca",
    ]
    for number, key in enumerate(keys[: draw(st.integers(1, len(keys)))]):
        out += [f"# own line {number}"] * draw(st.integers(0, 1))
        out += [""] * draw(st.integers(0, 1))
        value = MENDED[key][0] if key in MENDED else draw(SCALARS)
        behind = (
            f"{gap}# behind {number}"
            if draw(st.booleans()) and key != "max_packed_sequence_len"
            else ""
        )
        out.append(f"{key}:{gap}{value}{behind}")
    out += ["model_config: &anchor", "  # inside", "  a: {b: [1, 2]}", "micro_batch_size: 1"]
    out += ["tokens:", "  - x", "  # last of the list"] * draw(st.integers(0, 1))
    return "\n".join(out) + draw(st.sampled_from(["", "\n", "\n# the end\n"]))


def _comments(text: str) -> list[str]:
    return sorted(
        "# " + line.partition(" # ")[2]
        for line in ("\n" + text).splitlines()
        if "# " in line and "no" not in line
    )


def _keys(text: str) -> list[str]:
    return list(yaml.safe_load(text))


@settings(max_examples=150, deadline=None)
@given(lines_of())
def test_comments_order_and_everything_else_stay(text: str) -> None:
    document = parse(text, Path("config.yaml"), "axolotl")
    report = check([document])
    fixable = [finding for finding in report.findings if finding.fix]
    result, applied = mended(document, report.findings)
    assert _comments(result) == _comments(text)
    names = {finding.setting.key: MENDED[finding.setting.key][1] for finding in applied}
    expected = [names.get(key, key) for key in _keys(text)]
    assert _keys(result) == [key for key in expected if key is not None]
    before, after = yaml.safe_load(text), yaml.safe_load(result)
    assert all(
        after[names.get(key, key)] == value for key, value in before.items() if names.get(key, key)
    )
    assert "&anchor" in result
    untouched = [
        line for line in text.splitlines() if line and not any(key in line for key in MENDED)
    ]
    assert [line for line in untouched if line not in result.splitlines()] == []
    if len(applied) == len(fixable):
        again = check([parse(result, Path("config.yaml"), "axolotl")]).findings
        assert not [finding for finding in again if finding.fix]
