"""vLLM from a request as far as the mask of tokens: protocol, checks and backends are its own."""

from __future__ import annotations

from typing import Any

import proof_vllm  # noqa: F401
import tokenizers
from tokenizers import decoders, models, pre_tokenizers
from transformers import PreTrainedTokenizerFast
from vllm.entrypoints.openai.chat_completion.protocol import ChatCompletionRequest
from vllm.v1.structured_output.backend_guidance import GuidanceBackend
from vllm.v1.structured_output.backend_outlines import OutlinesBackend
from vllm.v1.structured_output.backend_xgrammar import XgrammarBackend
from vllm.v1.structured_output.request import get_structured_output_key

from fixbook.recipe.helpers.vllm_workers import configured, write_model

BACKENDS = {"xgrammar": XgrammarBackend, "guidance": GuidanceBackend, "outlines": OutlinesBackend}


def byte_tokenizer() -> Any:
    """Make a tokenizer of 256 bytes and an end."""
    end = "</s>"
    letters = sorted(pre_tokenizers.ByteLevel.alphabet())
    words = {letter: number for number, letter in enumerate([*letters, end])}
    bare = tokenizers.Tokenizer(models.BPE(vocab=words, merges=[]))
    bare.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    bare.decoder = decoders.ByteLevel()
    fast: Any = PreTrainedTokenizerFast  # its class has no types
    return fast(tokenizer_object=bare, eos_token=end)


class Server:
    """What a command line of ``vllm serve`` starts, as far as a request's constraint goes."""

    def __init__(self, command: str) -> None:
        write_model()
        self.config = configured(command)
        self.tokenizer = byte_tokenizer()

    def take(self, request: dict[str, Any]) -> dict[str, Any]:
        """Check a request as the front end does; return the backend that it goes to."""
        said = [{"role": "user", "content": "Answer."}]
        body = ChatCompletionRequest.model_validate({"model": "m", "messages": said, **request})
        params = body.to_sampling_params(64, {})
        config = self.config
        params.verify(config.model_config, None, config.structured_outputs_config, self.tokenizer)
        self.asked = params.structured_outputs
        return {"backend": self._backend()}

    def lets_pass(self, answer: str) -> bool:
        """Tell whether a model could give this answer, token by token, and end there."""
        if self.asked is None:
            return True
        backend = BACKENDS[self._backend()](self.config, self.tokenizer, len(self.tokenizer))
        grammar = backend.compile_grammar(*get_structured_output_key(self.asked))
        tokens = [*self.tokenizer.encode(answer), self.tokenizer.eos_token_id]
        return all(grammar.accept_tokens("one", [token]) for token in tokens)

    def _backend(self) -> str:
        return str(self.asked._backend) if self.asked else "none"
