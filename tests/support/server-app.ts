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
import { createMigratedDatabase, type DatabaseKind, type TestDatabase } from './server-databases.ts';
import { MemoryEngine } from './server-engine.ts';

/** A clock that only the test moves. */
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

/** Renders pages that contain their input. Only `/` exists. */
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

/** Argon2 with minimum cost, for speed. */
export const CHEAP_HASHER = createPasswordHasher({ memoryCost: 8, timeCost: 1, parallelism: 1 });

export const METRICS_TOKEN = 'm'.repeat(32);

const TEST_SECRETS: Secrets = {
  cookieKeys: ['c'.repeat(32)],
  cookieKey: undefined,
  addressKey: 'a'.repeat(32),
  metricsToken: METRICS_TOKEN,
};

/** The articles, read once per process. */
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
  /** A database that outlives the server. */
  testDatabase?: TestDatabase;
  /** Called with each statement before it runs. */
  onStatement?: (sql: string, parameters: readonly unknown[]) => void;
  isDraining?: () => boolean;
  isStopping?: () => boolean;
  /** Called before the server is ready, such as to add routes. */
  prepare?: (app: FastifyInstance) => void;
}

export interface TestServer {
  app: FastifyInstance;
  services: Services;
  database: Database;
  /** Lines of the log. */
  log: string[];
  /** Sent mails, oldest first. */
  mails: readonly Mail[];
  /** Runs the maintenance tasks of every minute: checks payments and deletes expired data. */
  sweep(): Promise<void>;
  close(): Promise<void>;
}

/** The whole server on a real database, without a port. */
export async function startTestServer(options: TestServerOptions = {}): Promise<TestServer> {
  const testDatabase = options.testDatabase ?? (await createMigratedDatabase(options.database ?? 'sqlite'));
  const config = loadConfig({ DATA_DIR: testDatabase.dataDir, NODE_ENV: 'test', ...options.env });
  const opened = await testDatabase.open();
  const database = options.onStatement ? withStatementListener(opened, options.onStatement) : opened;
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
    sweep: () => services.maintenance.run(),
    async close() {
      await app.close();
      await shared?.engine.close();
      await shared?.close();
      await database.destroy();
      if (!options.testDatabase) await testDatabase.remove();
      // Each error of a call must be declared, so that authors of API clients know it.
      const undeclared = log.filter((line) => line.includes('the call does not declare'));
      if (undeclared.length > 0) throw new Error(undeclared.join(''));
    },
  };
}

/** Starts a server for all tests of a file or a `describe`. */
export function sharedServer(options: TestServerOptions = {}): TestServer {
  // `beforeAll` sets the fields before any test runs.
  const server = {} as TestServer;
  beforeAll(async () => {
    Object.assign(server, await startTestServer(options));
  });
  afterAll(() => server.close());
  return server;
}

/** Returns a function that starts servers. They are closed after each test. */
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

/** Loads the Redis modules only if a test uses them, like the server. */
async function openShared(...settings: Parameters<typeof openSharedRecognition>): Promise<SharedRecognition> {
  const { openSharedRecognition } = await import('../../src/server/recognition/redis/shared-recognition.ts');
  return openSharedRecognition(...settings);
}

function withStatementListener(
  database: Database,
  onStatement: NonNullable<TestServerOptions['onStatement']>,
): Database {
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
    /** Uploads a new picture by default. */
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

/** A form as the page sends it. Only the real engine reads the bytes of the picture. */
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
