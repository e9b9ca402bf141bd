import { createHash } from 'node:crypto';
import type { Redis, Result } from 'ioredis';
import { type PRIORITY, priorityName, type QueueLimits, queueCapacityFor } from '#ocr';
import type { QueueKeys } from './queue-protocol.ts';

/**
 * Images in Redis, beside BullMQ's queue: their bytes, the limits of number and memory, their order, and their results. All
 * data expires: the bytes and place of an image that no web process polls any more, and a result that was not fetched. All
 * changes are scripts, which are atomic.
 */
export interface RedisTaskStore {
  /** Admits an image. Returns its BullMQ priority, or the limit that it exceeds. */
  add(id: string, picture: Uint8Array, scheduling: Scheduling): Promise<number | 'queue full' | 'no memory'>;
  /** Polls images: renews their leases and returns their states. */
  renew(ids: readonly string[]): Promise<PictureState[]>;
  /** Marks an image as started and returns its bytes; null if no process waits for it any more. */
  begin(id: string): Promise<Buffer | null>;
  /** Replaces an image by its result. If no process waits, nothing is stored. */
  answer(id: string, envelope: Buffer): Promise<void>;
  /** Returns and deletes the result; null without a result. */
  fetch(id: string): Promise<Buffer | null>;
  forget(id: string): Promise<void>;
  abandoned(ids: readonly string[]): Promise<string[]>;
  announce(worker: string, capacity: number, about: string): Promise<void>;
  leave(worker: string): Promise<void>;
  /** The announcements of all workers, and the number of waiting pictures. */
  status(): Promise<{ workers: string[]; waiting: WaitingCounts }>;
}

export type WaitingCounts = Readonly<Record<keyof typeof PRIORITY, number>>;

/** `unqueued`: stored here, but without a job in BullMQ (yet). */
export type PictureState = 'answered' | 'stored' | 'unqueued' | 'gone';

export interface Scheduling {
  priority: number;
  sender: string;
  /** Whether the image was admitted before Redis lost its data. It is then admitted regardless of the limits. */
  isResent?: boolean;
}

export interface StoreLimits extends QueueLimits {
  /** Memory limit of images in Redis, running ones included. Bytes. */
  memoryBytes: number;
}

/** Lease of an image. Its web process polls once a second. Milliseconds. */
const LEASE_MS = 8_000;
const ANSWER_KEPT_MS = 30_000;
/** Expiry of the order after its last use, so that an unused protocol version leaves nothing behind. */
const ORDER_KEPT_MS = 600_000;
/** Workers announce themselves more often than this. */
const WORKER_LEASE_MS = 6_000;

/**
 * BullMQ has priorities up to 2²¹, the lowest first: a quarter each for premium, free images, previews and pages of jobs. A
 * quarter has 524,287 turns, and counting restarts whenever the queue is empty. Beyond the last turn, pictures wait in the
 * order of arrival.
 */
const TURNS = Math.floor((2 ** 21 - 1) / 4);

/*
 * For each image, `about` has "class turn bytes waiting sender", and `held` the end of its lease. The next image of a sender
 * gets the turn after the sender's last waiting image, but no turn that has already started. So a new sender waits for at
 * most one image of every other sender, and new senders do not starve a sender with many images.
 */
const SHARED = `
local room = KEYS[1]
local function key(name) return room .. ':' .. name end
local function now()
  local time = redis.call('TIME')
  return time[1] * 1000 + math.floor(time[2] / 1000)
end
local function renewOrder(kept)
  for _, name in ipairs({ 'held', 'about', 'bytes', 'waiting', 'turn', 'workers', 'capacities', 'workers-about',
    'last-turns:0', 'last-turns:1', 'last-turns:2', 'last-turns:3', 'senders:0', 'senders:1', 'senders:2', 'senders:3' }) do
    redis.call('PEXPIRE', key(name), kept)
  end
end
-- What BullMQ keeps of a queue without an end; the rest of its keys have ends of their own, which must not be moved.
local function renewQueue(queue, kept)
  for _, name in ipairs({ 'meta', 'id', 'pc', 'events', 'marker', 'wait', 'active', 'prioritized', 'stalled' }) do
    redis.call('PEXPIRE', queue .. ':' .. name, kept)
  end
end
local function countStarted(class, sender)
  if redis.call('HINCRBY', key('waiting'), class, -1) <= 0 then
    redis.call('HDEL', key('waiting'), class)
    redis.call('HDEL', key('turn'), class)
    redis.call('DEL', key('last-turns:' .. class), key('senders:' .. class))
  elseif redis.call('HINCRBY', key('senders:' .. class), sender, -1) <= 0 then
    redis.call('HDEL', key('senders:' .. class), sender)
    redis.call('HDEL', key('last-turns:' .. class), sender)
  end
end
local function forget(id)
  local about = redis.call('HGET', key('about'), id)
  redis.call('DEL', key('picture:' .. id))
  if not about then return false end
  local class, turn, bytes, waiting, sender = string.match(about, '^(%d+) (%d+) (%d+) (%d) (.*)$')
  redis.call('HDEL', key('about'), id)
  redis.call('ZREM', key('held'), id)
  if redis.call('DECRBY', key('bytes'), bytes) <= 0 then redis.call('DEL', key('bytes')) end
  if waiting == '1' then countStarted(class, sender) end
  return true
end
local function deleteExpired(moment)
  for _, id in ipairs(redis.call('ZRANGEBYSCORE', key('held'), '-inf', moment)) do forget(id) end
  for _, id in ipairs(redis.call('ZRANGEBYSCORE', key('workers'), '-inf', moment)) do
    redis.call('ZREM', key('workers'), id)
    redis.call('HDEL', key('capacities'), id)
    redis.call('HDEL', key('workers-about'), id)
  end
end
local function sum(name)
  local total = 0
  for _, value in ipairs(redis.call('HVALS', key(name))) do total = total + value end
  return total
end
`;

const ADD = `${SHARED}
local id, picture, class, sender = ARGV[1], ARGV[2], ARGV[3], ARGV[4]
local places, memory, lease, turns = tonumber(ARGV[5]), tonumber(ARGV[6]), tonumber(ARGV[7]), tonumber(ARGV[8])
local moment = now()
deleteExpired(moment)
local waiting = sum('waiting')
local idle = sum('capacities') - (redis.call('ZCARD', key('held')) - waiting)
if waiting >= places + math.max(0, idle) then return -1 end
local bytes = tonumber(redis.call('GET', key('bytes')) or '0')
if bytes + #picture > memory then return -2 end
local begun = tonumber(redis.call('HGET', key('turn'), class) or '0')
local last = tonumber(redis.call('HGET', key('last-turns:' .. class), sender) or '0')
local turn = math.min(math.max(begun, last) + 1, turns - 1)
redis.call('SET', key('picture:' .. id), picture, 'PX', lease)
redis.call('ZADD', key('held'), moment + lease, id)
redis.call('HSET', key('about'), id, class .. ' ' .. turn .. ' ' .. #picture .. ' 1 ' .. sender)
redis.call('INCRBY', key('bytes'), #picture)
redis.call('HINCRBY', key('waiting'), class, 1)
redis.call('HINCRBY', key('senders:' .. class), sender, 1)
redis.call('HSET', key('last-turns:' .. class), sender, turn)
renewOrder(ARGV[9])
return class * turns + turn
`;

const RENEW = `${SHARED}
local lease, queue, kept = tonumber(ARGV[1]), ARGV[2], ARGV[3]
local moment = now()
local found = {}
for at = 4, #ARGV do
  local id = ARGV[at]
  local state = 'gone'
  if redis.call('EXISTS', key('answer:' .. id)) == 1 then state = 'answered'
  elseif redis.call('HEXISTS', key('about'), id) == 1 and redis.call('PEXPIRE', key('picture:' .. id), lease) == 1 then
    redis.call('ZADD', key('held'), moment + lease, id)
    state = redis.call('PEXPIRE', queue .. ':' .. id, kept) == 1 and 'stored' or 'unqueued'
  else
    forget(id)
  end
  found[at - 3] = state
end
return found
`;

const BEGIN = `${SHARED}
local id = ARGV[1]
local about = redis.call('HGET', key('about'), id)
if not about then return false end
local class, turn, bytes, waiting, sender = string.match(about, '^(%d+) (%d+) (%d+) (%d) (.*)$')
if waiting == '1' then
  redis.call('HSET', key('about'), id, class .. ' ' .. turn .. ' ' .. bytes .. ' 0 ' .. sender)
  local begun = tonumber(redis.call('HGET', key('turn'), class) or '0')
  redis.call('HSET', key('turn'), class, math.max(begun, turn))
  countStarted(class, sender)
  renewOrder(ARGV[2])
end
return redis.call('GET', key('picture:' .. id))
`;

const ANSWER = `${SHARED}
local id, parcel, kept = ARGV[1], ARGV[2], ARGV[3]
if forget(id) then redis.call('SET', key('answer:' .. id), parcel, 'PX', kept) end
`;

const FORGET = `${SHARED}
forget(ARGV[1])
redis.call('DEL', key('answer:' .. ARGV[1]))
`;

const ABANDONED = `${SHARED}
deleteExpired(now())
local gone = {}
for _, id in ipairs(ARGV) do
  if redis.call('HEXISTS', key('about'), id) == 0 then gone[#gone + 1] = id end
end
return gone
`;

const ANNOUNCE = `${SHARED}
redis.call('ZADD', key('workers'), now() + tonumber(ARGV[4]), ARGV[1])
redis.call('HSET', key('capacities'), ARGV[1], ARGV[2])
redis.call('HSET', key('workers-about'), ARGV[1], ARGV[3])
renewOrder(ARGV[5])
renewQueue(ARGV[6], ARGV[5])
`;

const LEAVE = `${SHARED}
redis.call('ZREM', key('workers'), ARGV[1])
redis.call('HDEL', key('capacities'), ARGV[1])
redis.call('HDEL', key('workers-about'), ARGV[1])
`;

const STATUS = `${SHARED}
deleteExpired(now())
renewOrder(ARGV[1])
renewQueue(ARGV[2], ARGV[1])
return { redis.call('HVALS', key('workers-about')), redis.call('HMGET', key('waiting'), 0, 1, 2, 3) }
`;

declare module 'ioredis' {
  interface RedisCommander<Context> {
    taskAdd(room: string, ...args: (string | number | Buffer)[]): Result<number, Context>;
    taskRenew(room: string, ...args: (string | number)[]): Result<PictureState[], Context>;
    taskBeginBuffer(room: string, id: string, kept: number): Result<Buffer | null, Context>;
    taskAnswer(room: string, id: string, envelope: Buffer, kept: number): Result<null, Context>;
    taskForget(room: string, id: string): Result<null, Context>;
    taskAbandoned(room: string, ...ids: string[]): Result<string[], Context>;
    taskAnnounce(
      room: string,
      id: string,
      capacity: number,
      about: string,
      lease: number,
      kept: number,
      queue: string,
    ): Result<null, Context>;
    taskLeave(room: string, id: string): Result<null, Context>;
    taskStatus(room: string, kept: number, queue: string): Result<[string[], (string | null)[]], Context>;
  }
}

/**
 * @param keys the key prefix and the queue of the protocol version
 * @param redis connection for small commands
 * @param bytes connection for images and answers, which would delay small commands
 */
export function openRedisTaskStore(
  { room, queue }: QueueKeys,
  redis: Redis,
  bytes: Redis,
  limits: StoreLimits,
): RedisTaskStore {
  for (const connection of [redis, bytes]) {
    const scripts = {
      taskAdd: ADD,
      taskRenew: RENEW,
      taskBegin: BEGIN,
      taskAnswer: ANSWER,
      taskForget: FORGET,
      taskAbandoned: ABANDONED,
      taskAnnounce: ANNOUNCE,
      taskLeave: LEAVE,
      taskStatus: STATUS,
    };
    for (const [name, lua] of Object.entries(scripts))
      connection.defineCommand(name, { numberOfKeys: 1, lua });
  }

  return {
    async add(id, picture, { priority, sender, isResent = false }) {
      const kind = priorityName(priority);
      const answer = await bytes.taskAdd(
        room,
        id,
        Buffer.from(picture.buffer, picture.byteOffset, picture.byteLength),
        CLASSES[kind],
        // A short hash distinguishes senders without naming them.
        createHash('sha256').update(sender).digest('base64url').slice(0, 22),
        isResent ? Number.MAX_SAFE_INTEGER : queueCapacityFor(kind, limits),
        limits.memoryBytes,
        LEASE_MS,
        TURNS,
        ORDER_KEPT_MS,
      );
      if (answer === -1) return 'queue full';
      return answer === -2 ? 'no memory' : answer;
    },
    renew: async (ids) =>
      ids.length === 0 ? [] : redis.taskRenew(room, LEASE_MS, queue, ORDER_KEPT_MS, ...ids),
    begin: (id) => bytes.taskBeginBuffer(room, id, ORDER_KEPT_MS),
    async answer(id, envelope) {
      await bytes.taskAnswer(room, id, envelope, ANSWER_KEPT_MS);
    },
    fetch: (id) => bytes.getdelBuffer(`${room}:answer:${id}`),
    async forget(id) {
      await redis.taskForget(room, id);
    },
    abandoned: async (ids) => (ids.length === 0 ? [] : redis.taskAbandoned(room, ...ids)),
    async announce(worker, capacity, about) {
      await redis.taskAnnounce(room, worker, capacity, about, WORKER_LEASE_MS, ORDER_KEPT_MS, queue);
    },
    async leave(worker) {
      await redis.taskLeave(room, worker);
    },
    async status() {
      const [workers, waiting] = await redis.taskStatus(room, ORDER_KEPT_MS, queue);
      const [premium = 0, free = 0, preview = 0, job = 0] = waiting.map(Number);
      return { workers, waiting: { premium, free, preview, job } };
    },
  };
}

const CLASSES = { premium: 0, free: 1, preview: 2, job: 3 } as const;
