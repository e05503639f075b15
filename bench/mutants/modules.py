"""The modules that mistakes are seeded into, each with the tests that have to catch them."""

from __future__ import annotations

import sys

_LOG = (
    "tests/test_scan.py",
    "tests/test_log.py",
    "tests/test_vectors.py",
    "tests/test_log_room.py",
)
_FILES = ("tests/test_log_files.py", "tests/test_log.py")
_BOUNDS = ("tests/test_bounds.py", "tests/test_gates_of_truth.py")

# One place for these paths: a module that moves is missed here, and nowhere else.
TESTS: dict[str, tuple[str, ...]] = {
    "fixbook/recipe/reading/digest.py": ("tests/test_digest.py",),
    "fixbook/recipe/reading/libraries.py": ("tests/test_needed_libraries.py",),
    "fixbook/recipe/record/staleness.py": ("tests/test_digest.py", "tests/test_evidence.py"),
    "fixbook/recipe/record/evidence.py": ("tests/test_evidence.py", "tests/test_digest.py"),
    "fixbook/recipe/record/scrub.py": ("tests/test_scrub.py",),
    "fixbook/gates/boundaries.py": _BOUNDS,
    "fixbook/gates/records.py": ("tests/test_gates_of_records.py",),
    "fixbook/gates/releases.py": ("tests/test_gates_of_words.py",),
    "fixbook/gates/controls.py": ("tests/test_gates_of_steps.py", "tests/test_controls.py"),
    "fixbook/log/reading.py": _FILES,
    "fixbook/log/scan.py": _LOG,
    "fixbook/log/exception.py": (
        "tests/test_vectors.py",
        "tests/test_exception.py",
        "tests/test_log.py",
    ),
    "fixbook/log/unwrapped.py": ("tests/test_unwrapped.py", "tests/test_vectors.py"),
    "fixbook/book/condition.py": ("tests/test_entry.py",),
    "fixbook/config/predicate.py": ("tests/config/test_predicates.py",),
    "fixbook/book/yaml_source.py": ("tests/test_yaml_source.py",),
}


if __name__ == "__main__":  # for make coverage
    named = sorted({test for tests in TESTS.values() for test in tests})
    print(*(named if sys.argv[1:] == ["tests"] else [",".join(TESTS)]))
