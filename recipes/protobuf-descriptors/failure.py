"""What transformers imports as it converts a tokenizer of sentencepiece."""

from __future__ import annotations

import cProfile
import pstats
from typing import Any


def load() -> Any:
    """Import the messages of sentencepiece, which its package ships as generated code."""
    from sentencepiece import sentencepiece_model_pb2

    return sentencepiece_model_pb2


def convert() -> Any:
    """Let transformers import them, as AutoTokenizer does for a tokenizer.model."""
    from transformers.convert_slow_tokenizer import import_protobuf

    return import_protobuf()


def events() -> Any:
    """Import the messages of tensorboard, which torch.utils.tensorboard writes."""
    from tensorboard.compat.proto import event_pb2

    return event_pb2


def read(messages: Any) -> tuple[int, int]:
    """Read a vocabulary, and return its size and the Python calls that this took."""
    vocabulary = messages.ModelProto()
    for number in range(1000):
        vocabulary.pieces.add(piece=str(number), score=-float(number))
    profile = cProfile.Profile()
    profile.enable()
    again = messages.ModelProto.FromString(vocabulary.SerializeToString())
    profile.disable()
    return len(again.pieces), pstats.Stats(profile).total_calls
