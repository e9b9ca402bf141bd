"""Requests and their retries, independent of the HTTP client."""

from __future__ import annotations

import random
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

import httpx

from .errors import retry_after_of

Format = Literal["json", "text", "markdown", "hocr", "alto", "pdf", "csv", "xlsx", "docx"]

#: An image or a document: its path, its bytes, or its name and bytes.
Source = Path | bytes | tuple[str, bytes]

#: Temporary statuses of a server or a proxy.
_RETRYABLE_STATUSES = frozenset({429, 502, 503, 504})


@dataclass(frozen=True)
class Request:
    method: str
    path: str
    params: Mapping[str, str] = field(default_factory=dict)
    data: Mapping[str, str] = field(default_factory=dict)
    files: Sequence[tuple[str, tuple[str, bytes]]] = ()
    headers: Mapping[str, str] = field(default_factory=dict)


def read(
    source: Source,
    *,
    format: Format,
    page: int | None,
    languages: Sequence[str],
    filtering: bool,
    idempotency_key: str | None,
) -> Request:
    options = _options(languages, filtering) | {"format": format}
    if page is not None:
        options["page"] = str(page)
    return Request(
        "POST",
        "/api/extract-text",
        data=options,
        files=[("file", _named_file(source))],
        headers=_idempotency_header(idempotency_key),
    )


def create_job(
    sources: Sequence[Source],
    *,
    pages: str | None,
    languages: Sequence[str],
    filtering: bool,
    webhook: str | None,
    idempotency_key: str | None,
) -> Request:
    options = _options(languages, filtering)
    if pages is not None:
        options["pages"] = pages
    if webhook is not None:
        options["webhook"] = webhook
    return Request(
        "POST",
        "/api/jobs",
        data=options,
        files=[("file", _named_file(source)) for source in sources],
        headers=_idempotency_header(idempotency_key),
    )


def _options(languages: Sequence[str], filtering: bool) -> dict[str, str]:
    return {"languages": "+".join(languages), "useFiltering": "true" if filtering else "false"}


def _idempotency_header(key: str | None) -> dict[str, str]:
    return {"Idempotency-Key": key or str(uuid.uuid4())}


def _named_file(source: Source) -> tuple[str, bytes]:
    if isinstance(source, Path):
        return source.name, source.read_bytes()
    return ("picture", source) if isinstance(source, bytes) else source



def is_already_deleted(request: Request, attempt: int, response: httpx.Response) -> bool:
    """Whether a 404 to a retried DELETE means that an earlier attempt has deleted the job."""
    return request.method == "DELETE" and attempt > 0 and response.status_code == 404


@dataclass(frozen=True)
class Retries:
    """Maximum number of retries, and the longest pause in seconds."""

    max_retries: int = 3
    longest_pause: float = 60

    def pause(self, attempt: int, response: httpx.Response | None) -> float | None:
        """Seconds until the next retry; None if the call is not retried. `response` is None after a lost connection."""
        if attempt >= self.max_retries or (response is not None and response.status_code not in _RETRYABLE_STATUSES):
            return None
        retry_after = None if response is None else retry_after_of(response)
        pause = 0.5 * 2**attempt * random.uniform(0.8, 1.2) if retry_after is None else retry_after
        return pause if pause <= self.longest_pause else None
