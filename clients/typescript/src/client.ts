import { errorOf, JobTimeout, retryAfterOf } from './errors.ts';
import type { Extraction, Format, Job, JobResult, JobSummary, Language, Usage } from './types.ts';

/** An image or a document. A `File` has its own name. */
export type Source = Blob | Uint8Array<ArrayBuffer>;

export interface ClientOptions {
  /** Address of the server without a path. */
  baseUrl: string;
  apiKey: string;
  /** Maximum retries of temporary failures. Retries are charged once. */
  maxRetries?: number;
  fetch?: typeof fetch;
}

export interface CallOptions {
  signal?: AbortSignal;
}

export interface SendOptions extends CallOptions {
  /** Language codes, the main one first; English by default. */
  languages?: readonly string[];
  /** Whether to leave out noise and user interface text; true by default. */
  filtering?: boolean;
  /** Random for each call by default. */
  idempotencyKey?: string;
}

export interface ReadOptions extends SendOptions {
  /** Page of a PDF or TIFF, from 1. */
  page?: number;
}

export interface JobOptions extends SendOptions {
  /** Pages of each document, such as `1-3,7`. */
  pages?: string;
  /** An https address that receives a request when the job has ended. */
  webhook?: string;
}

interface Request {
  method: 'GET' | 'POST' | 'DELETE';
  path: string;
  headers?: Record<string, string>;
  body?: FormData;
}

/** Temporary statuses of a server or a proxy. */
const RETRYABLE_STATUSES = [429, 502, 503, 504];
const LONGEST_PAUSE_MS = 60_000;

/** API client. Calls reject with a `GlyphliftError`, or a `TypeError` without a response. */
export class Glyphlift {
  readonly #baseUrl: string;
  readonly #apiKey: string;
  readonly #maxRetries: number;
  readonly #fetch: typeof fetch;

  constructor({ baseUrl, apiKey, maxRetries = 3, fetch: send = fetch }: ClientOptions) {
    this.#baseUrl = baseUrl.replace(/\/+$/, '');
    this.#apiKey = apiKey;
    this.#maxRetries = maxRetries;
    // Called without `this`: a browser's fetch rejects another one.
    this.#fetch = (...args) => send(...args);
  }

  /** The text in an image, or on one page of a PDF or TIFF, with the boxes of its words. */
  async read(source: Source, options: ReadOptions = {}): Promise<Extraction> {
    return readJson(await this.#read(source, 'json', options));
  }

  /** The result of reading an image or a page, as a file of this format. */
  async readAs(source: Source, format: Format, options: ReadOptions = {}): Promise<Blob> {
    return (await this.#read(source, format, options)).blob();
  }

  /** The used quota. */
  usage(options: CallOptions = {}): Promise<Usage> {
    return this.#get('/api/usage', options);
  }

  /** The languages that the server reads. */
  async languages(options: CallOptions = {}): Promise<Language[]> {
    return (await this.#get<{ languages: Language[] }>('/api/languages', options)).languages;
  }

  /** Creates a job that reads images, PDFs and TIFFs. */
  async createJob(sources: readonly Source[], options: JobOptions = {}): Promise<Job> {
    const { pages, webhook } = options;
    const body = formOf(sources, options, { pages, webhook });
    const request: Request = { method: 'POST', path: '/api/jobs', headers: idempotencyHeader(options), body };
    return readJson(await this.#send(request, options));
  }

  /** The recent jobs of this key, newest first. */
  async jobs(options: CallOptions = {}): Promise<JobSummary[]> {
    return (await this.#get<{ jobs: JobSummary[] }>('/api/jobs', options)).jobs;
  }

  /** The state of a job. */
  job(id: string, options: CallOptions = {}): Promise<Job> {
    return this.#get(`/api/jobs/${encodeURIComponent(id)}`, options);
  }

  /** Waits for the end of a job, successful or not. @throws {JobTimeout} */
  async wait(id: string, options: CallOptions & { timeoutMs?: number } = {}): Promise<Job> {
    const until = Date.now() + (options.timeoutMs ?? Number.POSITIVE_INFINITY);
    for (let pause = 500; ; pause = Math.min(pause * 1.5, 5_000)) {
      const job = await this.job(id, options);
      if (job.state !== 'queued' && job.state !== 'running') return job;
      if (Date.now() + pause > until) throw new JobTimeout(`the job ${id} is ${job.state}`);
      await delay(pause, options.signal);
    }
  }

  /** The pages of a job that were read. */
  async result(id: string, options: CallOptions = {}): Promise<JobResult> {
    return readJson(await this.#result(id, 'json', options));
  }

  /** The pages of a job that were read, as one file of this format. */
  async resultAs(id: string, format: Format, options: CallOptions = {}): Promise<Blob> {
    return (await this.#result(id, format, options)).blob();
  }

  /** Cancels a job, and deletes its pages and texts at once. */
  async deleteJob(id: string, options: CallOptions = {}): Promise<void> {
    await this.#send({ method: 'DELETE', path: `/api/jobs/${encodeURIComponent(id)}` }, options);
  }

  #read(source: Source, format: Format, options: ReadOptions): Promise<Response> {
    const body = formOf([source], options, { format, page: options.page?.toString() });
    const headers = idempotencyHeader(options);
    return this.#send({ method: 'POST', path: '/api/extract-text', headers, body }, options);
  }

  #result(id: string, format: Format, options: CallOptions): Promise<Response> {
    const path = `/api/jobs/${encodeURIComponent(id)}/result?format=${format}`;
    return this.#send({ method: 'GET', path }, options);
  }

  async #get<T>(path: string, options: CallOptions): Promise<T> {
    return readJson<T>(await this.#send({ method: 'GET', path }, options));
  }

  async #send({ method, path, headers, body }: Request, { signal }: CallOptions): Promise<Response> {
    for (let attempt = 0; ; attempt++) {
      const mayRetry = attempt < this.#maxRetries;
      const response = await this.#fetch(`${this.#baseUrl}${path}`, {
        method,
        headers: { ...headers, authorization: `Bearer ${this.#apiKey}` },
        ...(body && { body }),
        ...(signal && { signal }),
      }).catch((error: unknown) => {
        if (signal?.aborted || !mayRetry) throw error;
        return null;
      });
      if (response?.ok) return response;
      // 404 to a retried DELETE: the first attempt has deleted the job.
      if (response?.status === 404 && method === 'DELETE' && attempt > 0) return response;
      const pause = (response && retryAfterOf(response)) ?? 0.5 * 2 ** attempt * (0.8 + 0.4 * Math.random());
      const isRetried = mayRetry && (!response || RETRYABLE_STATUSES.includes(response.status));
      if (response && (!isRetried || pause * 1000 > LONGEST_PAUSE_MS)) throw await errorOf(response);
      await response?.body?.cancel();
      await delay(pause * 1000, signal);
    }
  }
}

/** The response is not validated: the types match the server's contract. */
const readJson = async <T>(response: Response): Promise<T> => (await response.json()) as T;

function formOf(
  sources: readonly Source[],
  { languages = ['eng'], filtering = true }: SendOptions,
  extraFields: Record<string, string | undefined>,
): FormData {
  const form = new FormData();
  const fields = { languages: languages.join('+'), useFiltering: String(filtering), ...extraFields };
  for (const [name, value] of Object.entries(fields)) if (value !== undefined) form.append(name, value);
  for (const source of sources) {
    const blob = source instanceof Blob ? source : new Blob([source]);
    form.append('file', blob, 'name' in blob ? String(blob.name) : 'picture');
  }
  return form;
}

const idempotencyHeader = ({ idempotencyKey = crypto.randomUUID() }: SendOptions) => ({
  'idempotency-key': idempotencyKey,
});

function delay(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const timer = setTimeout(finish, milliseconds);
    signal?.addEventListener('abort', finish, { once: true });
    function finish() {
      clearTimeout(timer);
      signal?.removeEventListener('abort', finish);
      if (signal?.aborted) reject(signal.reason);
      else resolve();
    }
  });
}
