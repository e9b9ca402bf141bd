import type { FastifyInstance } from 'fastify';

interface HealthOptions {
  now: () => Date;
  /** Required dependencies by name. Each check rejects if the dependency does not answer. */
  checks: Readonly<Record<string, () => Promise<void>>>;
  isDraining: () => boolean;
  details?: () => Readonly<Record<string, unknown>>;
}

const TIMEOUT_MS = 2000;
/** Results are cached this long, because health calls are not rate-limited. */
const CACHE_MS = 500;

/** `/healthz`: liveness. `/readyz`: readiness, or the dependency that does not answer. */
export function registerHealth(
  app: FastifyInstance,
  { checks, isDraining, details, now }: HealthOptions,
): void {
  const config = { access: 'anyone', kind: 'health' } as const;
  let cached: { at: number; answers: Promise<(readonly [string, 'ok' | 'failed'])[]> } | undefined;

  const runChecks = () =>
    Promise.all(
      Object.entries(checks).map(async ([name, check]) => {
        try {
          await withTimeout(check());
          return [name, 'ok'] as const;
        } catch (error) {
          app.log.warn({ err: error, part: name }, 'not ready');
          return [name, 'failed'] as const;
        }
      }),
    );

  app.get('/healthz', { config }, async (_request, reply) => {
    reply.header('cache-control', 'no-store');
    return { status: 'ok' };
  });

  app.get('/readyz', { config }, async (_request, reply) => {
    const at = now().getTime();
    if (!cached || at - cached.at >= CACHE_MS) cached = { at, answers: runChecks() };
    const results = await cached.answers;
    const ready = !isDraining() && results.every(([, state]) => state === 'ok');
    reply.code(ready ? 200 : 503).header('cache-control', 'no-store');
    return { status: ready ? 'ready' : 'not ready', ...Object.fromEntries(results), ...details?.() };
  });
}

async function withTimeout(answer: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${TIMEOUT_MS} ms`)), TIMEOUT_MS);
  });
  try {
    await Promise.race([answer, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
