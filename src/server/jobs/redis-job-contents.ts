import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { deflateRaw, inflateRaw } from 'node:zlib';
import type { Redis, Result } from 'ioredis';
import type { Keyring } from '../platform/keyring.ts';
import type { RedisLink } from '../platform/redis.ts';
import {
  CONTENTS_LEASE_MS,
  type ContentLimits,
  type JobContents,
  memoryLimitsOf,
  sizeOf,
} from './job-contents.ts';

const deflate = promisify(deflateRaw);
const inflate = promisify(inflateRaw);

/**
 * Keys of each job: `held` has its expiry, `bytes` its size, `owners` its owner, and `keys:ID` the keys of its contents.
 * All of them expire together.
 */
const SHARED = `
local base = KEYS[1]
local function key(name) return base .. ':' .. name end
local function now()
  local time = redis.call('TIME')
  return time[1] * 1000 + math.floor(time[2] / 1000)
end
local function forget(id)
  for _, name in ipairs(redis.call('SMEMBERS', key('keys:' .. id))) do redis.call('DEL', name) end
  redis.call('DEL', key('keys:' .. id))
  redis.call('ZREM', key('held'), id)
  redis.call('HDEL', key('bytes'), id)
  redis.call('HDEL', key('owners'), id)
end
local function deleteExpired()
  for _, id in ipairs(redis.call('ZRANGEBYSCORE', key('held'), '-inf', now())) do forget(id) end
end
local function sum(owner)
  local total = 0
  local bytes = redis.call('HGETALL', key('bytes'))
  for at = 1, #bytes, 2 do
    if not owner or redis.call('HGET', key('owners'), bytes[at]) == owner then total = total + bytes[at + 1] end
  end
  return total
end
`;

const ADMIT = `${SHARED}
local id, owner, bytes = ARGV[1], ARGV[2], tonumber(ARGV[3])
local own, all, lease = tonumber(ARGV[4]), tonumber(ARGV[5]), tonumber(ARGV[6])
deleteExpired()
if sum(owner) + bytes > own then return -1 end
if sum() + bytes > all then return -2 end
redis.call('ZADD', key('held'), now() + lease, id)
redis.call('HSET', key('bytes'), id, bytes)
redis.call('HSET', key('owners'), id, owner)
return 1
`;

/** Stores a further value for an existing job. \`counted\`: whether its bytes count against the memory limit. */
const PUT = `${SHARED}
local id, name, content, counted, least = ARGV[1], ARGV[2], ARGV[3], ARGV[4], tonumber(ARGV[5])
if redis.call('HEXISTS', key('bytes'), id) == 0 then return 0 end
local left = math.max(least, redis.call('ZSCORE', key('held'), id) - now())
redis.call('SET', key(name), content, 'PX', left)
redis.call('SADD', key('keys:' .. id), key(name))
redis.call('PEXPIRE', key('keys:' .. id), left)
if counted == '1' then redis.call('HINCRBY', key('bytes'), id, #content) end
return 1
`;

const TEND = `${SHARED}
local lease = tonumber(ARGV[1])
for at = 2, #ARGV do
  local id = ARGV[at]
  if redis.call('HEXISTS', key('bytes'), id) == 1 then
    redis.call('ZADD', key('held'), now() + lease, id)
    for _, name in ipairs(redis.call('SMEMBERS', key('keys:' .. id))) do redis.call('PEXPIRE', name, lease) end
    redis.call('PEXPIRE', key('keys:' .. id), lease)
  end
end
`;

const FORGET = `${SHARED}
forget(ARGV[1])
`;

const HELD = `${SHARED}
deleteExpired()
return sum()
`;

declare module 'ioredis' {
  interface RedisCommander<Context> {
    jobAdmit(base: string, ...args: (string | number)[]): Result<number, Context>;
    jobPut(base: string, ...args: (string | number | Buffer)[]): Result<number, Context>;
    jobTend(base: string, milliseconds: number, ...ids: string[]): Result<null, Context>;
    jobForget(base: string, id: string): Result<null, Context>;
    jobHeld(base: string): Result<number, Context>;
  }
}

/** Version of the stored format; any change increments it. */
const FORMAT_VERSION = 1;
const BYTES_MS = 20_000;

/** Job contents shared by all web processes. Texts are encrypted with a key that only web processes have. */
export function createRedisJobContents(
  link: RedisLink,
  { keyring, memoryBytes }: ContentLimits & { keyring: Keyring },
): JobContents {
  const base = `${link.prefix}:jobs:${FORMAT_VERSION}`;
  const bytes = link.connectWithTimeout(BYTES_MS);
  const { commands } = link;
  for (const connection of [commands, bytes] satisfies Redis[]) {
    const scripts = { jobAdmit: ADMIT, jobPut: PUT, jobTend: TEND, jobForget: FORGET, jobHeld: HELD };
    for (const [name, lua] of Object.entries(scripts))
      connection.defineCommand(name, { numberOfKeys: 1, lua });
  }
  const shares = memoryLimitsOf({ memoryBytes });
  const fileKey = (id: string, number: number) => `file:${id}:${number}`;
  const nameKey = (id: string, number: number) => `name:${id}:${number}`;
  const pageKey = (id: string, number: number) => `page:${id}:${number}`;
  const put = (id: string, name: string, content: Buffer | string, counted: boolean) =>
    bytes.jobPut(base, id, name, content, counted ? 1 : 0, 1);

  return {
    outlivesProcess: true,

    async store(id, owner, files) {
      // A short hash distinguishes owners without naming them.
      const ownerHash = createHash('sha256').update(owner).digest('base64url').slice(0, 22);
      const admitted = await commands.jobAdmit(
        base,
        id,
        ownerHash,
        sizeOf(files),
        shares.own,
        shares.all,
        CONTENTS_LEASE_MS,
      );
      if (admitted < 0) return admitted === -1 ? 'user limit' : 'no memory';
      try {
        for (const [at, { name, bytes: content }] of files.entries()) {
          const { buffer, byteOffset, byteLength } = content;
          await put(id, fileKey(id, at + 1), Buffer.from(buffer, byteOffset, byteLength), false);
          await put(id, nameKey(id, at + 1), keyring.seal(name, nameKey(id, at + 1)), false);
        }
      } catch (error) {
        await commands.jobForget(base, id).catch(() => {});
        throw error;
      }
      return 'stored';
    },

    has: async (id) => (await commands.exists(`${base}:${fileKey(id, 1)}`)) === 1,

    async file(id, number) {
      const content = await bytes.getBuffer(`${base}:${fileKey(id, number)}`);
      // Copied, because a small Buffer is a view of Node's shared pool.
      return content && new Uint8Array(content);
    },

    async name(id, number) {
      const name = await commands.get(`${base}:${nameKey(id, number)}`);
      return name === null ? null : keyring.unseal(name, nameKey(id, number));
    },

    async storePage(id, number, page) {
      const compressed = await deflate(JSON.stringify(page));
      await put(
        id,
        pageKey(id, number),
        keyring.seal(compressed.toString('base64'), pageKey(id, number)),
        true,
      );
    },

    async page(id, number) {
      const sealed = await bytes.get(`${base}:${pageKey(id, number)}`);
      if (sealed === null) return null;
      const compressed = Buffer.from(keyring.unseal(sealed, pageKey(id, number)), 'base64');
      return new Uint8Array(await inflate(compressed));
    },

    async renewLease(ids, milliseconds) {
      if (ids.length > 0) await commands.jobTend(base, milliseconds, ...ids);
    },

    async forget(id) {
      await commands.jobForget(base, id);
    },

    saveForRestart: async () => {},

    async deleteExpired() {
      await commands.jobHeld(base);
    },

    usedBytes: () => commands.jobHeld(base),
  };
}
