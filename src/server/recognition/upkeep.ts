import type { FastifyInstance } from 'fastify';
import type { Clock } from '../platform/clock.ts';
import type { Quota } from './quota.ts';

const EVERY_MS = 60 * 60 * 1000;

/** While the server listens, forgets now and every hour what quotas of past periods no longer tell anybody. */
export function forgetPastQuotas(app: FastifyInstance, quota: Quota, clock: Clock): void {
  const forget = () =>
    quota
      .forget(clock.now())
      .catch((error) => app.log.error({ err: error }, 'past quotas could not be forgotten'));
  let timer: NodeJS.Timeout | undefined;
  app.addHook('onListen', async () => {
    timer = setInterval(forget, EVERY_MS).unref();
    await forget();
  });
  app.addHook('onClose', async () => clearInterval(timer));
}
