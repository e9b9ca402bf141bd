"""The clients against a real server."""

from __future__ import annotations

import asyncio

import httpx
import pytest

from glyphlift import AsyncGlyphlift, Glyphlift, GlyphliftError, JobTimeout

from .conftest import KEY, PICTURE, TEXT, URL


class LosesFirstResponse(httpx.HTTPTransport):
    """The server gets every request, but the first response is lost as on a bad connection."""

    keys: list[str]

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        response = super().handle_request(request)
        self.keys = [*getattr(self, "keys", []), request.headers.get("idempotency-key", "")]
        if len(self.keys) == 1:
            response.read()
            raise httpx.ReadError("the connection broke")
        return response


def test_read_returns_text_and_words(client: Glyphlift) -> None:
    extraction = client.read(PICTURE)
    assert extraction.extracted_text == TEXT
    assert [word.text for word in extraction.lines[0].words] == ["Harbour", "lights"]
    assert extraction.lines[0].words[0].box.width > 0


def test_read_as_returns_a_file(client: Glyphlift) -> None:
    assert client.read_as(PICTURE, "text").decode() == TEXT
    assert client.read_as(("note.png", PICTURE.read_bytes()), "docx").startswith(b"PK")


def test_read_accepts_one_page_of_a_pdf(client: Glyphlift) -> None:
    pdf = client.read_as(PICTURE, "pdf")
    assert client.read(pdf, page=1).extracted_text == TEXT
    with pytest.raises(GlyphliftError) as refused:
        client.read(pdf)
    assert (refused.value.status, refused.value.code) == (415, "recognition.pdf")


def test_usage_and_languages(client: Glyphlift) -> None:
    assert client.usage().period == "month"
    assert client.languages()[0].code == "eng"


def test_job_can_be_created_awaited_fetched_and_deleted(client: Glyphlift) -> None:
    job = client.create_job([PICTURE, ("again.png", PICTURE.read_bytes())])
    with pytest.raises(JobTimeout):
        client.wait(job.id, timeout=0)
    ended = client.wait(job.id, timeout=120)
    assert (ended.state, ended.counts.done) == ("done", 2)
    assert [page.result.extracted_text for page in client.result(job.id).pages] == [TEXT, TEXT]
    assert client.result_as(job.id, "text").decode() == f"{TEXT}\n\f{TEXT}"
    assert job.id in [one.id for one in client.jobs()]
    with Glyphlift(URL, KEY, transport=LosesFirstResponse()) as unlucky:
        unlucky.delete_job(job.id)
    with pytest.raises(GlyphliftError) as gone:
        client.job(job.id)
    assert gone.value.code == "http.not_found"


def test_unknown_key_raises_an_error_with_a_code() -> None:
    with Glyphlift(URL, "glyph_live_nobody") as stranger, pytest.raises(GlyphliftError) as refused:
        stranger.usage()
    assert (refused.value.status, refused.value.code) == (401, "api_keys.unknown")


def test_call_with_a_lost_response_is_retried_with_the_same_key_and_charged_once(client: Glyphlift) -> None:
    before = client.usage().image_count
    transport = LosesFirstResponse()
    with Glyphlift(URL, KEY, transport=transport) as unlucky:
        assert unlucky.read(PICTURE.read_bytes() + b" never read before").extracted_text == TEXT
    assert len(transport.keys) == 2
    assert len(set(transport.keys)) == 1
    assert client.usage().image_count - before == 1


def client_of(*responses: httpx.Response) -> tuple[Glyphlift, list[httpx.Request]]:
    """A client of a server that gives these responses in turn, and the requests that it gets."""
    requests: list[httpx.Request] = []

    def respond(request: httpx.Request) -> httpx.Response:
        requests.append(request)
        return responses[len(requests) - 1]

    return Glyphlift(URL, KEY, transport=httpx.MockTransport(respond)), requests


USAGE = {"imageCount": 1, "dailyLimit": 3, "period": "day", "resetsAt": "2026-05-05T00:00:00Z"}
FULL = {"error": "Please wait", "code": "recognition.queue_full"}


def test_call_to_a_busy_server_is_retried_after_retry_after() -> None:
    client, requests = client_of(
        httpx.Response(503, json=FULL, headers={"retry-after": "0"}), httpx.Response(200, json=USAGE)
    )
    assert client.usage().image_count == 1
    assert len(requests) == 2


@pytest.mark.parametrize(("status", "retry_after"), [(429, "7200"), (422, "0"), (500, "0")])
def test_call_with_a_permanent_failure_is_not_retried(status: int, retry_after: str) -> None:
    client, requests = client_of(httpx.Response(status, json=FULL, headers={"retry-after": retry_after}))
    with pytest.raises(GlyphliftError) as refused:
        client.usage()
    assert (refused.value.code, refused.value.retry_after) == ("recognition.queue_full", float(retry_after))
    assert len(requests) == 1


def test_response_of_a_proxy_raises_an_error() -> None:
    client, _requests = client_of(httpx.Response(404, text="<html>"))
    with pytest.raises(GlyphliftError) as refused:
        client.usage()
    assert refused.value.code == "http.unknown"


def test_async_client_reads_and_creates_jobs() -> None:
    async def work() -> None:
        async with AsyncGlyphlift(URL, KEY) as client:
            extraction, usage = await asyncio.gather(client.read(PICTURE), client.usage())
            assert extraction.extracted_text == TEXT
            assert usage.daily_limit > 0
            job = await client.wait((await client.create_job([PICTURE])).id, timeout=120)
            assert (await client.result(job.id)).pages[0].result.extracted_text == TEXT
            await client.delete_job(job.id)
            with pytest.raises(GlyphliftError):
                await client.job(job.id)

    asyncio.run(work())
