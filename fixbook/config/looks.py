"""What is looked at beside rules and key tables: files, models, numbers, launchers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fixbook.config.as_cpp_reads import as_llama_cpp_reads
from fixbook.config.cut import cut_off
from fixbook.config.launched import refused_by_torchrun
from fixbook.config.named_dtypes import short_dtypes
from fixbook.config.named_files import missing_data, missing_files
from fixbook.config.named_model import about_model
from fixbook.config.overrides import added_twice, gone_programs
from fixbook.config.served_numbers import missing_parsers, refused_numbers, shares_above_one
from fixbook.config.swift_data import swift_data

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from fixbook.config.finding import Finding
    from fixbook.config.setting import ConfigDocument, Section

    Look = Callable[[ConfigDocument, Section], Iterator[Finding]]

LOOKS: tuple[Look, ...] = (
    missing_files,
    missing_data,
    about_model,
    refused_numbers,
    missing_parsers,
    shares_above_one,
    refused_by_torchrun,
    short_dtypes,
    cut_off,
    added_twice,
    gone_programs,
    as_llama_cpp_reads,
    swift_data,
)
