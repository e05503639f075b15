"""Compose verl's settings from overrides, and print what verl says of each.

Usage: python verl_checks.py settings|advantage|kl|rollout|keys|sft|sft-keys OVERRIDES-AS-JSON
"""

from __future__ import annotations

import importlib
import importlib.util
import json
import sys
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any
from unittest import mock

if TYPE_CHECKING:
    from collections.abc import Callable


def composed(overrides: list[str], file: str) -> Any:
    """Do what ``python -m verl.trainer.main_ppo OVERRIDE...`` does first, or the trainer of SFT."""
    hydra = importlib.import_module("hydra")
    spec = importlib.util.find_spec("verl")
    folder = Path(str(spec.origin)).parent / "trainer" / "config" if spec else Path()
    with hydra.initialize_config_dir(str(folder), version_base=None):
        return hydra.compose(file, overrides=overrides)


def settings(config: Any) -> str:
    """Run the checks that come before training, and build the settings of the rollout."""
    checks = importlib.import_module("verl.utils.config")
    needs = importlib.import_module("verl.trainer.ppo.utils")
    checks.validate_config(config, needs.need_reference_policy(config), needs.need_critic(config))
    checks.omega_conf_to_dataclass(config.actor_rollout_ref.rollout)
    return "accepted"


def advantage(config: Any) -> str:
    """Compute the advantages of two prompts; say whether they are the bare rewards."""
    torch = importlib.import_module("torch")
    numpy = importlib.import_module("numpy")
    algorithms = importlib.import_module("verl.trainer.ppo.core_algos")
    answers = config.actor_rollout_ref.rollout.n
    groups = numpy.repeat(numpy.array(["first", "second"], dtype=object), answers)
    rewards = torch.arange(1.0, 1.0 + len(groups))
    estimate = algorithms.get_adv_estimator_fn(config.algorithm.adv_estimator)
    found = estimate(rewards[:, None], torch.ones(len(groups), 1), groups)[0][:, 0]
    bare = torch.allclose(found, rewards, atol=1e-4)
    return "the advantage is the reward itself" if bare else "the advantage is relative"


def kl(config: Any) -> str:
    """Compute the penalty for leaving the reference model, as the actor's loss does."""
    torch = importlib.import_module("torch")
    algorithms = importlib.import_module("verl.trainer.ppo.core_algos")
    logits = torch.zeros(1, 2)
    algorithms.kl_penalty(logits, logits, config.actor_rollout_ref.actor.kl_loss_type)
    return "accepted"


def rollout(config: Any) -> str:
    """Look for the class that generates, up to where its engine would be imported."""
    registry = importlib.import_module("verl.workers.rollout.base")
    wanted = config.actor_rollout_ref.rollout
    with mock.patch.object(registry.importlib, "import_module", return_value=mock.MagicMock()):
        registry.get_rollout_class(wanted.name, wanted.mode)
    return "accepted"


def keys(config: Any) -> list[str]:
    """Return every key, as the table names them."""
    from collections.abc import Mapping

    def walk(node: Any, parent: str) -> list[str]:
        found = []
        for key, value in node.items():
            if key.startswith("_"):  # Hydra's own
                continue
            found.append(parent + key)
            if isinstance(value, Mapping):
                found += walk(value, f"{parent}{key}.")
        return found

    plain = importlib.import_module("omegaconf").OmegaConf.to_container(config, resolve=False)
    return walk(plain, "")


def sft(config: Any) -> str:
    """Make the settings of the model, the engine and the optimizer, as the trainer does."""
    checks = importlib.import_module("verl.utils.config")
    for part in (config.engine, config.optim, config.checkpoint):
        checks.omega_conf_to_dataclass(part)
    return "accepted"


_PARTS: dict[str, Callable[[Any], Any]] = {
    "settings": settings,
    "advantage": advantage,
    "kl": kl,
    "rollout": rollout,
    "keys": keys,
    "sft": sft,
    "sft-keys": keys,
}


def said(part: str, overrides: list[str]) -> Any:
    try:
        file = "sft_trainer_engine" if part.startswith("sft") else "ppo_trainer"
        return _PARTS[part](composed(overrides, file))
    except Exception as error:  # noqa: BLE001  (whatever it is, it is what the tool says)
        return f"{type(error).__name__}: {error}"


def warm() -> None:
    """Import what the parts need."""
    warnings.simplefilter("ignore")
    for name in ("hydra", "omegaconf", "verl.utils.config", "verl.trainer.ppo.core_algos"):
        importlib.import_module(name)


def main() -> None:
    warnings.simplefilter("ignore")
    part, given = sys.argv[1], json.loads(sys.argv[2])
    answers = {name: said(part, overrides) for name, overrides in given.items()}
    sys.stdout.write("\n" + json.dumps(answers) + "\n")


if __name__ == "__main__":
    main()
