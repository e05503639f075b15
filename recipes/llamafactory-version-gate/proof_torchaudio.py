"""Stand in for torchaudio, which LLaMA-Factory imports and no step uses."""

import importlib.machinery
import sys
import types

_STAND_IN = types.ModuleType("torchaudio")
_STAND_IN.__spec__ = importlib.machinery.ModuleSpec("torchaudio", None)
sys.modules["torchaudio"] = _STAND_IN
