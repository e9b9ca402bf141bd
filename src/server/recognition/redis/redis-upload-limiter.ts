import { createHash, randomUUID } from 'node:crypto';
import type { Result } from 'ioredis';
import type { Logger } from '../../platform/logger.ts';
import type { RedisLink } from '../../platform/redis.ts';
import { LIMIT_ERRORS, MAX_UPLOADS, type UploadLimiter } from '../upload/upload-limiter.ts';

/** Lease of an upload, which its process renews. Milliseconds. */
const LEASE_MS = 10_000;
const RENEW_EVERY_MS = 3_000;

/** An upload, counted for its visitor and for its address. */
interface Lease {
  id: string;
  visitor: string;
  address: string;
}

const SHARED = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local function take(key, id, lease)
  redis.call('ZADD', key, now + lease, id)
  redis.call('PEXPIRE', key, lease)
end
`;

const ADMIT = `${SHARED}
for at = 1, 2 do
  redis.call('ZREMRANGEBYSCORE', KEYS[at], '-inf', now)
  if redis.call('ZCARD', KEYS[at]) >= tonumber(ARGV[2 + at]) then return at end
end
for at = 1, 2 do take(KEYS[at], ARGV[1], tonumber(ARGV[2])) end
return 0
`;

/** Renews leases; recreates them after a restart of Redis. */
const RENEW = `${SHARED}
for at = 1, #KEYS do take(KEYS[at], ARGV[1 + math.ceil(at / 2)], tonumber(ARGV[1])) end
`;

declare module 'ioredis' {
  interface RedisCommander<Context> {
    intakeAdmit(
      visitor: string,
      address: string,
      id: string,
      lease: number,
      ofVisitor: number,
      ofAddress: number,
    ): Result<0 | 1 | 2, Context>;
    intakeRenew(keys: number, ...keysAndIds: (string | number)[]): Result<null, Context>;
  }
}

/**
 * Like `local`, but counts parallel uploads of a visitor and of an address over all web processes. Memory is still counted
 * per process. While Redis is unavailable, each process counts its own uploads: no image can be read then, so further
 * uploads gain nothing.
 */
export function createRedisUploadLimiter(
  local: UploadLimiter,
  link: RedisLink,
  logger: Logger,
): UploadLimiter {
  const { commands, prefix } = link;
  commands.defineCommand('intakeAdmit', { numberOfKeys: 2, lua: ADMIT });
  commands.defineCommand('intakeRenew', { lua: RENEW });
  const leases = new Set<Lease>();
  const report = (error: unknown) =>
    logger.debug({ err: error }, 'uploads could not be counted across processes');
  const keyOf = (whose: string, name: string) =>
    `${prefix}:uploads:${whose}:${createHash('sha256').update(name).digest('base64url')}`;

  async function take(lease: Lease): Promise<void> {
    if (link.unavailableFor() > 0) return;
    const { visitor: ofVisitor, address: ofAddress } = MAX_UPLOADS;
    const refused = await commands
      .intakeAdmit(lease.visitor, lease.address, lease.id, LEASE_MS, ofVisitor, ofAddress)
      .catch(report);
    if (refused) throw LIMIT_ERRORS[refused === 1 ? 'visitor' : 'address']();
  }

  const renewing = setInterval(() => {
    if (leases.size === 0 || link.unavailableFor() > 0) return;
    const current = [...leases];
    const keys = current.flatMap(({ visitor, address }) => [visitor, address]);
    commands.intakeRenew(keys.length, ...keys, LEASE_MS, ...current.map(({ id }) => id)).catch(report);
  }, RENEW_EVERY_MS).unref();
  commands.once('end', () => clearInterval(renewing));

  return {
    held: local.held,
    drainTurn: local.drainTurn,
    async openSlot(visitor, address) {
      const slot = await local.openSlot(visitor, address);
      const lease = {
        id: randomUUID(),
        visitor: keyOf('visitor', visitor),
        address: keyOf('address', address),
      };
      try {
        await take(lease);
      } catch (error) {
        slot.release();
        throw error;
      }
      leases.add(lease);
      return {
        turn: slot.turn,
        reserveMemory: (bytes) => slot.reserveMemory(bytes),
        release() {
          slot.release();
          if (!leases.delete(lease) || link.unavailableFor() > 0) return;
          const { id } = lease;
          commands.multi().zrem(lease.visitor, id).zrem(lease.address, id).exec().catch(report);
        },
      };
    },
  };
}
