"""Keys stay out of texts, files and child processes.

The invariant: a key is read from the environment, handed to the vendor's SDK and to nothing else; whatever a server
or an SDK says back passes through a `Redactor` before it is parsed, stored, logged or raised.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from typing import Final

__all__ = ["KEY_VARIABLES", "PLACEHOLDER", "Redactor", "scrubbed_environment"]

KEY_VARIABLES: Final = {"anthropic": "ANTHROPIC_API_KEY", "openai": "OPENAI_API_KEY"}

PLACEHOLDER: Final = "[secret]"

# Servers without a key get this; replacing so short or so common a text would mangle answers.
SHORTEST_SECRET: Final = 8

# `TOKENIZERS_PARALLELISM` is no secret, and dropping it makes children warn.
SECRET_NAME: Final = re.compile(
    r"KEY|TOKEN(?!IZER)|SECRET|PASSW|PASSPHRASE|(^|_)(PASS|PAT|DSN|AUTH)(_|$)|.PWD$(?<!OLDPWD)|CREDENTIAL|COOKIE|PRIVATE|SIGNATURE"
    r"|CUSTOM_HEADERS|AUTH_SOCK|NETRC|KUBECONFIG|CONNECTION_STRING",
    re.IGNORECASE,
)

# Key formats that vendors publish, and addresses that carry a user name or password.
SECRET_VALUE: Final = re.compile(
    r"\b(sk|pk|rk)-[A-Za-z0-9_-]{16,}|\bgh[pousr]_[A-Za-z0-9]{20,}|\bhf_[A-Za-z0-9]{20,}|\bxox[abprs]-[A-Za-z0-9-]{10,}"
    r"|\bAKIA[0-9A-Z]{16}\b|\bAIza[0-9A-Za-z_-]{30,}|-----BEGIN [A-Z ]*PRIVATE KEY-----|://[^/\s@]+@"
)


class Redactor:
    """Replaces one key in any text; never shows the key itself."""

    def __init__(self, secret: str) -> None:
        self._secret = secret if len(secret) >= SHORTEST_SECRET else ""

    def __call__(self, text: str) -> str:
        return text.replace(self._secret, PLACEHOLDER) if self._secret else text

    def __repr__(self) -> str:
        return "Redactor()"


def scrubbed_environment(environment: Mapping[str, str] | None = None) -> dict[str, str]:
    """A copy of `environment` (this process's own by default) without any variable that looks like a secret.

    Dropped are variables with a secret-like name, with a value in a known key format, and with a value that contains
    the value of a provider's key. Dropping too much is the safe side.
    """
    source = os.environ if environment is None else environment
    keys = [key for name in KEY_VARIABLES.values() if len(key := source.get(name, "")) >= SHORTEST_SECRET]
    return {
        name: value
        for name, value in source.items()
        if not SECRET_NAME.search(name) and not SECRET_VALUE.search(value) and not any(key in value for key in keys)
    }
