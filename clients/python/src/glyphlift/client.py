"""The clients: `Glyphlift`, and `AsyncGlyphlift` with the same methods for `async`."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from types import TracebackType

import httpx

from . import requests
from .errors import GlyphliftError, JobTimeout
from .models import Extraction, Job, JobResult, Jobs, JobSummary, Language, Languages, Usage
from .requests import Format, Request, Retries, Source

_ENGLISH = ("eng",)
#: Seconds. Long enough to upload a large image on a slow connection and to wait in the queue.
_TIMEOUT = 600.0


class Glyphlift:
    """Calls a server with an API key.

    `max_retries` is the maximum number of retries after a temporary failure; retries are charged once. An error response
    raises GlyphliftError, a lost connection httpx.TransportError.
    """

    def __init__(
        self,
        base_url: str,
        api_key: str,
        *,
        timeout: float = _TIMEOUT,
        max_retries: int = 3,
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        self._retries = Retries(max_retries)
        self._http = httpx.Client(
            base_url=base_url.rstrip("/"),
            headers={"Authorization": f"Bearer {api_key}"},
            timeout=httpx.Timeout(timeout, connect=10),
            transport=transport,
        )

    def __enter__(self) -> Glyphlift:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        self._http.close()

    def read(
        self,
        source: Source,
        *,
        page: int | None = None,
        languages: Sequence[str] = _ENGLISH,
        filtering: bool = True,
        idempotency_key: str | None = None,
    ) -> Extraction:
        """The text in an image, or on one page (from 1) of a PDF or TIFF, with the boxes of its words."""
        content = self.read_as(
            source,
            "json",
            page=page,
            languages=languages,
            filtering=filtering,
            idempotency_key=idempotency_key,
        )
        return Extraction.model_validate_json(content)

    def read_as(
        self,
        source: Source,
        format: Format,
        *,
        page: int | None = None,
        languages: Sequence[str] = _ENGLISH,
        filtering: bool = True,
        idempotency_key: str | None = None,
    ) -> bytes:
        """The result as a file of this format."""
        return self._send(
            requests.read(
                source,
                format=format,
                page=page,
                languages=languages,
                filtering=filtering,
                idempotency_key=idempotency_key,
            )
        )

    def usage(self) -> Usage:
        """The used quota."""
        return Usage.model_validate_json(self._send(Request("GET", "/api/usage")))

    def languages(self) -> list[Language]:
        """The languages that the server reads."""
        return Languages.model_validate_json(self._send(Request("GET", "/api/languages"))).languages

    def create_job(
        self,
        sources: Sequence[Source],
        *,
        pages: str | None = None,
        languages: Sequence[str] = _ENGLISH,
        filtering: bool = True,
        webhook: str | None = None,
        idempotency_key: str | None = None,
    ) -> Job:
        """Creates a job for images, PDFs and TIFFs. `pages` is a range such as 1-3,7 of each document."""
        request = requests.create_job(
            sources,
            pages=pages,
            languages=languages,
            filtering=filtering,
            webhook=webhook,
            idempotency_key=idempotency_key,
        )
        return Job.model_validate_json(self._send(request))

    def jobs(self) -> list[JobSummary]:
        """The recent jobs of this key, newest first."""
        return Jobs.model_validate_json(self._send(Request("GET", "/api/jobs"))).jobs

    def job(self, id: str) -> Job:
        """The state of a job."""
        return Job.model_validate_json(self._send(Request("GET", f"/api/jobs/{id}")))

    def wait(self, id: str, *, timeout: float | None = None) -> Job:
        """Waits for the end of a job, successful or not. Raises JobTimeout after `timeout` seconds."""
        until = None if timeout is None else time.monotonic() + timeout
        pause = 0.5
        while not (job := self.job(id)).has_ended:
            if until is not None and time.monotonic() + pause > until:
                raise JobTimeout(f"the job {id} is {job.state} after {timeout} seconds")
            time.sleep(pause)
            pause = min(pause * 1.5, 5)
        return job

    def result(self, id: str) -> JobResult:
        """The pages of a job that were read."""
        return JobResult.model_validate_json(self.result_as(id, "json"))

    def result_as(self, id: str, format: Format) -> bytes:
        """The result as one file of this format."""
        return self._send(Request("GET", f"/api/jobs/{id}/result", params={"format": format}))

    def delete_job(self, id: str) -> None:
        """Cancels a job, and deletes its pages and texts at once."""
        self._send(Request("DELETE", f"/api/jobs/{id}"))

    def _send(self, request: Request) -> bytes:
        attempt = 0
        while True:
            try:
                response = self._http.request(
                    request.method,
                    request.path,
                    params=request.params,
                    data=request.data or None,
                    files=request.files or None,
                    headers=request.headers,
                )
            except httpx.TransportError:
                pause = self._retries.pause(attempt, None)
                if pause is None:
                    raise
            else:
                if response.is_success or requests.is_already_deleted(request, attempt, response):
                    return response.content
                pause = self._retries.pause(attempt, response)
                if pause is None:
                    raise GlyphliftError.of(response)
            time.sleep(pause)
            attempt += 1


class AsyncGlyphlift:
    """Like Glyphlift, for `async`."""

    def __init__(
        self,
        base_url: str,
        api_key: str,
        *,
        timeout: float = _TIMEOUT,
        max_retries: int = 3,
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        self._retries = Retries(max_retries)
        self._http = httpx.AsyncClient(
            base_url=base_url.rstrip("/"),
            headers={"Authorization": f"Bearer {api_key}"},
            timeout=httpx.Timeout(timeout, connect=10),
            transport=transport,
        )

    async def __aenter__(self) -> AsyncGlyphlift:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        await self._http.aclose()

    async def read(
        self,
        source: Source,
        *,
        page: int | None = None,
        languages: Sequence[str] = _ENGLISH,
        filtering: bool = True,
        idempotency_key: str | None = None,
    ) -> Extraction:
        """The text in an image, or on one page (from 1) of a PDF or TIFF, with the boxes of its words."""
        content = await self.read_as(
            source,
            "json",
            page=page,
            languages=languages,
            filtering=filtering,
            idempotency_key=idempotency_key,
        )
        return Extraction.model_validate_json(content)

    async def read_as(
        self,
        source: Source,
        format: Format,
        *,
        page: int | None = None,
        languages: Sequence[str] = _ENGLISH,
        filtering: bool = True,
        idempotency_key: str | None = None,
    ) -> bytes:
        """The result as a file of this format."""
        return await self._send(
            requests.read(
                source,
                format=format,
                page=page,
                languages=languages,
                filtering=filtering,
                idempotency_key=idempotency_key,
            )
        )

    async def usage(self) -> Usage:
        """The used quota."""
        return Usage.model_validate_json(await self._send(Request("GET", "/api/usage")))

    async def languages(self) -> list[Language]:
        """The languages that the server reads."""
        return Languages.model_validate_json(await self._send(Request("GET", "/api/languages"))).languages

    async def create_job(
        self,
        sources: Sequence[Source],
        *,
        pages: str | None = None,
        languages: Sequence[str] = _ENGLISH,
        filtering: bool = True,
        webhook: str | None = None,
        idempotency_key: str | None = None,
    ) -> Job:
        """Creates a job for images, PDFs and TIFFs. `pages` is a range such as 1-3,7 of each document."""
        request = requests.create_job(
            sources,
            pages=pages,
            languages=languages,
            filtering=filtering,
            webhook=webhook,
            idempotency_key=idempotency_key,
        )
        return Job.model_validate_json(await self._send(request))

    async def jobs(self) -> list[JobSummary]:
        """The recent jobs of this key, newest first."""
        return Jobs.model_validate_json(await self._send(Request("GET", "/api/jobs"))).jobs

    async def job(self, id: str) -> Job:
        """The state of a job."""
        return Job.model_validate_json(await self._send(Request("GET", f"/api/jobs/{id}")))

    async def wait(self, id: str, *, timeout: float | None = None) -> Job:
        """Waits for the end of a job, successful or not. Raises JobTimeout after `timeout` seconds."""
        until = None if timeout is None else time.monotonic() + timeout
        pause = 0.5
        while not (job := await self.job(id)).has_ended:
            if until is not None and time.monotonic() + pause > until:
                raise JobTimeout(f"the job {id} is {job.state} after {timeout} seconds")
            await asyncio.sleep(pause)
            pause = min(pause * 1.5, 5)
        return job

    async def result(self, id: str) -> JobResult:
        """The pages of a job that were read."""
        return JobResult.model_validate_json(await self.result_as(id, "json"))

    async def result_as(self, id: str, format: Format) -> bytes:
        """The result as one file of this format."""
        return await self._send(Request("GET", f"/api/jobs/{id}/result", params={"format": format}))

    async def delete_job(self, id: str) -> None:
        """Cancels a job, and deletes its pages and texts at once."""
        await self._send(Request("DELETE", f"/api/jobs/{id}"))

    async def _send(self, request: Request) -> bytes:
        attempt = 0
        while True:
            try:
                response = await self._http.request(
                    request.method,
                    request.path,
                    params=request.params,
                    data=request.data or None,
                    files=request.files or None,
                    headers=request.headers,
                )
            except httpx.TransportError:
                pause = self._retries.pause(attempt, None)
                if pause is None:
                    raise
            else:
                if response.is_success or requests.is_already_deleted(request, attempt, response):
                    return response.content
                pause = self._retries.pause(attempt, response)
                if pause is None:
                    raise GlyphliftError.of(response)
            await asyncio.sleep(pause)
            attempt += 1
