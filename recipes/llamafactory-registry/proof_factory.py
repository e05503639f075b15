"""LLaMA-Factory, imported before the steps; torchaudio, which no step uses, is a stand-in."""

import importlib.machinery
import sys
import types

_SOUND = types.ModuleType("torchaudio")
_SOUND.__spec__ = importlib.machinery.ModuleSpec("torchaudio", None)
sys.modules["torchaudio"] = _SOUND

import llamafactory.data  # noqa: E402
import llamafactory.hparams  # noqa: E402, F401
