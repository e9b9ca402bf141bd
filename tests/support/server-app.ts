import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify';
import { afterAll, afterEach, beforeAll } from 'vitest';
import type { Engine } from '#ocr';
import { createPasswordHasher, type PasswordHasher } from '../../src/server/accounts/password.ts';
import { createApp } from '../../src/server/app.ts';
import { loadConfig } from '../../src/server/config.ts';
import { type ArticleLibrary, loadArticles } from '../../src/server/content/articles.ts';
import { allowText } from '../../src/server/http/headers.ts';
import type { Web } from '../../src/server/http/pages.ts';
import type { Clock } from '../../src/server/platform/clock.ts';
import { createLogger } from '../../src/server/platform/logger.ts';
import type { Mail } from '../../src/server/platform/mailer.ts';
import { createPrometheus } from '../../src/server/platform/prometheus.ts';
import type { Secrets } from '../../src/server/platform/secrets.ts';
import type {
  openSharedRecognition,
  SharedRecognition,
} from '../../src/server/recognition/redis/shared-recognition.ts';
import type { Database } from '../../src/server/schema.ts';
import { buildServices, type Services } from '../../src/server/services.ts';
import { createMemoryMailer } from './memory-mailer.ts';
import { createMigratedHome, type DatabaseKind, type Home } from './server-databases.ts';
import { MemoryEngine } from './server-engine.ts';

/** A clock that stands until it is moved. */
export function createTestClock(start = '2026-05-04T10:00:00.000Z') {
  let time = new Date(start).getTime();
  return {
    now: () => new Date(time),
    advance: (milliseconds: number) => {
      time += milliseconds;
    },
    set: (moment: string) => {
      time = new Date(moment).getTime();
    },
  };
}

const EARLY_SCRIPT = 'early()';
const CSS = 'p { color: black }';

/** Renders a page that says what it was given; `/` is the only one that exists. */
export const plainWeb: Web = {
  async render({ url, site, data }) {
    const [path] = url.split('?');
    if (path === '/moved') {
      return { status: 302, location: '/', isCanonical: false, head: '', body: '', state: '' };
    }
    if (path === '/broken') throw new Error('secret detail of a renderer');
    const usage = await data.usage();
    return {
      status: path === '/' ? 200 : 404,
      isCanonical: path === '/',
      head: `<title>${path}</title>`,
      body: `<p>${site.supportEmail} ${site.now}</p>`,
      state: JSON.stringify({ usage, user: await data.user() }),
    };
  },
  assets: () => ({
    script: '/assets/entry.js',
    earlyScript: EARLY_SCRIPT,
    css: CSS,
    modules: [],
    fonts: [],
  }),
  inline: { script: allowText(EARLY_SCRIPT), style: allowText(CSS) },
  async register() {},
};

/** As weak as argon2 gets: what it protects lives for a second. */
export const CHEAP_HASHER = createPasswordHasher({ memoryCost: 8, timeCost: 1, parallelism: 1 });

export const METRICS_TOKEN = 'm'.repeat(32);

const TEST_SECRETS: Secrets = {
  cookieKeys: ['c'.repeat(32)],
  cookieKey: undefined,
  addressKey: 'a'.repeat(32),
  metricsToken: METRICS_TOKEN,
};

/** Read once in a process: they are the same for every server. */
let library: Promise<ArticleLibrary> | undefined;
const articles = () => {
  library ??= loadArticles('content/blog');
  return library;
};

interface TestServerOptions {
  database?: DatabaseKind;
  env?: Record<string, string>;
  engine?: Engine;
  clock?: Clock;
  secrets?: Secrets;
  web?: Web;
  passwordHasher?: PasswordHasher;
  mailRequestsMaxDelayMs?: number;
  /** A database that stays when the server is closed. */
  home?: Home;
  /** Hears of every statement before it is carried out. */
  onStatement?: (sql: string, parameters: readonly unknown[]) => void;
  isDraining?: () => boolean;
  isStopping?: () => boolean;
  /** Adds to the server before it is ready. */
  prepare?: (app: FastifyInstance) => void;
}

export interface TestServer {
  app: FastifyInstance;
  services: Services;
  database: Database;
  /** What was logged, line by line. */
  log: string[];
  /** Mails that were sent, oldest first. */
  mails: readonly Mail[];
  /** What a listening server does every minute: looks after payments and what has expired. */
  sweep(): Promise<void>;
  close(): Promise<void>;
}

/** The whole server on a real database, without a port. */
export async function startTestServer(options: TestServerOptions = {}): Promise<TestServer> {
  const home = options.home ?? (await createMigratedHome(options.database ?? 'sqlite'));
  const config = loadConfig({ DATA_DIR: home.dataDir, NODE_ENV: 'test', ...options.env });
  const opened = await home.open();
  const database = options.onStatement ? watched(opened, options.onStatement) : opened;
  const log: string[] = [];
  const mailer = createMemoryMailer();
  const logger = createLogger('trace', { write: (line) => void log.push(line) });
  const shared = config.redisUrl ? await openShared(config.redisUrl, config, logger) : undefined;
  const parts = {
    config,
    secrets: options.secrets ?? TEST_SECRETS,
    database,
    engine: shared?.engine ?? options.engine ?? new MemoryEngine(),
    shared,
    clock: options.clock ?? createTestClock(),
    logger,
    metrics: config.metrics === 'on' ? createPrometheus({ version: 'tested', logger }) : undefined,
  };
  const services = buildServices({
    ...parts,
    mailer,
    passwordHasher: options.passwordHasher ?? CHEAP_HASHER,
    mailRequestsMaxDelayMs: options.mailRequestsMaxDelayMs ?? 0,
  });
  const app = await createApp({
    ...parts,
    services,
    web: options.web ?? plainWeb,
    articles: await articles(),
    isDraining: options.isDraining ?? options.isStopping ?? (() => false),
    isStopping: options.isStopping ?? (() => false),
  });
  options.prepare?.(app);
  await app.ready();
  return {
    app,
    services,
    database,
    log,
    mails: mailer.sent,
    sweep: () => services.upkeep.run(),
    async close() {
      await app.close();
      await shared?.engine.close();
      await shared?.close();
      await database.destroy();
      if (!options.home) await home.remove();
      // Authors of programs have to know every way in which a call can fail.
      const undeclared = log.filter((line) => line.includes('the call does not declare'));
      if (undeclared.length > 0) throw new Error(undeclared.join(''));
    },
  };
}

/** A server that is there from before the first test of a `describe`, or of a file, until after its last. */
export function sharedServer(options: TestServerOptions = {}): TestServer {
  // Tests look into it when they run: by then it is whole.
  const server = {} as TestServer;
  beforeAll(async () => {
    Object.assign(server, await startTestServer(options));
  });
  afterAll(() => server.close());
  return server;
}

/** Starts servers that are closed after the test that starts them. */
export function serversOfEachTest(): (options?: TestServerOptions) => Promise<TestServer> {
  const servers: TestServer[] = [];
  afterEach(async () => {
    await Promise.all(servers.splice(0).map((server) => server.close()));
  });
  return async (options = {}) => {
    const server = await startTestServer(options);
    servers.push(server);
    return server;
  };
}

/** Loaded by those alone that ask for it, as the server does. */
async function openShared(...settings: Parameters<typeof openSharedRecognition>): Promise<SharedRecognition> {
  const { openSharedRecognition } = await import('../../src/server/recognition/redis/shared-recognition.ts');
  return openSharedRecognition(...settings);
}

function watched(database: Database, onStatement: NonNullable<TestServerOptions['onStatement']>): Database {
  return database.withPlugin({
    transformQuery({ node, queryId }) {
      const { sql, parameters } = database.getExecutor().compileQuery(node, queryId);
      onStatement(sql, parameters);
      return node;
    },
    transformResult: async ({ result }) => result,
  });
}

/** A visitor with a browser: stores the cookies that the server sends. */
export function createVisitor(app: FastifyInstance, address = '203.0.113.7') {
  const cookies = new Map<string, string>();
  async function send(request: InjectOptions): Promise<LightMyRequestResponse> {
    const response = await app.inject({
      remoteAddress: address,
      ...request,
      headers: {
        ...(cookies.size > 0 && { cookie: [...cookies].map((pair) => pair.join('=')).join('; ') }),
        ...request.headers,
      },
    });
    for (const { name, value } of response.cookies) cookies.set(name, encodeURIComponent(value));
    return response;
  }
  return {
    cookies,
    send,
    get: (url: string, headers: Record<string, string> = {}) => send({ method: 'GET', url, headers }),
    /** Of a new picture, unless one is given. */
    async upload(form: FormData = newPictureForm(), headers: Record<string, string> = {}) {
      const encoded = await encodeForm(form);
      return send({
        method: 'POST',
        url: '/api/extract-text',
        payload: encoded.body,
        headers: { 'content-type': encoded.type, ...headers },
      });
    },
    usage: async () =>
      (await send({ method: 'GET', url: '/api/usage' })).json<{ imageCount: number; dailyLimit: number }>(),
  };
}
export type Visitor = ReturnType<typeof createVisitor>;

/** A form as the page sends it; the bytes matter to the real engine only. */
export function pictureForm(
  fields: Record<string, string> = { useFiltering: 'true' },
  picture: Uint8Array<ArrayBuffer> = new Uint8Array([1, 2, 3]),
): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  form.append('file', new Blob([picture], { type: 'image/png' }), 'private-name.png');
  return form;
}

let made = 0;
const newPictureForm = () => pictureForm(undefined, new TextEncoder().encode(`picture ${made++}`));

export async function encodeForm(form: FormData): Promise<{ type: string; body: Buffer }> {
  const response = new Response(form);
  return {
    type: response.headers.get('content-type') ?? '',
    body: Buffer.from(await response.arrayBuffer()),
  };
}
