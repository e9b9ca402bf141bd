import { describe, expect, it } from 'vitest';
import {
  ASSUMED,
  dailyCurve,
  type Footprint,
  planFor,
  serversFor,
  serviceOf,
  waitingFor,
  waitingProbability,
} from './capacity.ts';

describe('queueing model: waiting', () => {
  it('matches the waiting probabilities of Erlang’s tables', () => {
    // With one server, the probability is the fraction of time in which it is busy.
    expect(waitingProbability(1, 0.7)).toBeCloseTo(0.7, 12);
    // Two servers: load² / (2 + load) from the formula written out.
    expect(waitingProbability(2, 1.5)).toBeCloseTo(1.5 ** 2 / (2 + 1.5), 12);
    expect(waitingProbability(10, 8)).toBeCloseTo(0.4092, 4);
    expect(waitingProbability(500, 480)).toBeGreaterThan(0.2);
    expect(waitingProbability(3, 3)).toBe(1);
  });

  it('matches Pollaczek and Khinchine for one server, with constant and exponential times', () => {
    const exact = (rate: number, mean: number, scv: number) =>
      (rate * mean ** 2 * (1 + scv)) / (2 * (1 - rate * mean));
    for (const scv of [0, 0.3, 1, 2.5])
      expect(waitingFor(1.4, 1, { mean: 0.5, scv }).mean).toBeCloseTo(exact(1.4, 0.5, scv), 12);
  });

  it('matches the exponential tail of M/M/1', () => {
    const { within } = waitingFor(0.8, 1, { mean: 1, scv: 1 });
    // P(W > t) = .8 e^(-.2 t)
    expect(0.8 * Math.exp(-0.2 * within(0.95))).toBeCloseTo(0.05, 12);
    expect(waitingFor(0.01, 1, { mean: 1, scv: 1 }).within(0.95)).toBe(0);
  });

  it('is within a tenth of a simulation for several servers', () => {
    const service = serviceOf([0.2, 0.2, 0.3, 0.3, 0.4, 0.9]);
    const times = [0.2, 0.2, 0.3, 0.3, 0.4, 0.9];
    const [servers, rate] = [3, (0.85 * 3) / service.mean];
    let seed = 12_345;
    const random = () => {
      seed = (seed + 0x6d2b79f5) | 0;
      let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed);
      mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed);
      return (((mixed ^ (mixed >>> 14)) >>> 0) + 0.5) / 2 ** 32;
    };
    const freeAt = Array<number>(servers).fill(0);
    let now = 0;
    let waited = 0;
    const pictures = 400_000;
    for (let at = 0; at < pictures; at++) {
      now -= Math.log(random()) / rate;
      const next = freeAt.indexOf(Math.min(...freeAt));
      const begins = Math.max(now, freeAt[next] ?? 0);
      waited += begins - now;
      freeAt[next] = begins + (times[Math.floor(random() * times.length)] ?? 0);
    }
    const ratio = waitingFor(rate, servers, service).mean / (waited / pictures);
    expect(ratio).toBeGreaterThan(0.9);
    expect(ratio).toBeLessThan(1.1);
  });

  it('is infinite if arrivals exceed the capacity', () => {
    const { mean, within, busy } = waitingFor(2, 1, { mean: 0.5, scv: 1 });
    expect([mean, within(0.5), busy]).toEqual([Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, 1]);
  });
});

it('serviceOf: returns the squared coefficient of variation, which is zero for constant times', () => {
  expect(serviceOf([2, 2, 2])).toEqual({ mean: 2, scv: 0 });
  expect(serviceOf([1, 3])).toEqual({ mean: 2, scv: 0.25 });
});

it('serversFor: returns the minimum number of servers for the promised wait', () => {
  const service = { mean: 0.4, scv: 0.6 };
  const promise = { share: 0.95, seconds: 0.5 };
  const servers = serversFor(20, service, promise);
  expect(waitingFor(20, servers, service).within(0.95)).toBeLessThanOrEqual(0.5);
  expect(waitingFor(20, servers - 1, service).within(0.95)).toBeGreaterThan(0.5);
});

it('dailyCurve: sums up to the day’s extractions and has the given peak', () => {
  const curve = dailyCurve(1_000_000, 1.8, 14);
  expect(curve.reduce((sum, rate) => sum + rate * 3_600, 0)).toBeCloseTo(1_000_000, 3);
  expect(Math.max(...curve)).toBe(curve[14]);
  expect(curve[14]).toBeCloseTo((1.8 * 1_000_000) / 86_400, 9);
});

describe('capacity plan', () => {
  const footprint: Footprint = {
    service: { mean: 0.5, scv: 0.5 },
    coresPerReader: 2,
    webCores: 0.02,
    redisCores: 0.001,
    redisCommands: 40,
    redisBytes: 400_000,
    databaseCores: 0.004,
    statements: 12,
    pictureBytes: 150_000,
    readerMemory: 1e9,
    webMemory: 2e8,
  };

  it('keeps the promised wait at the peak, with spare machines', () => {
    const plan = planFor(footprint);
    expect(plan.peakRate).toBeCloseTo(23.15, 2);
    expect(plan.wait.p95).toBeLessThanOrEqual(ASSUMED.wait.seconds);
    expect((plan.readerMachines - 1) * 8).toBeGreaterThanOrEqual(plan.readers);
    expect(plan.readers).toBeGreaterThan(plan.peakRate * 0.5);
    expect(plan.database.statements).toBeCloseTo(plan.peakRate * 12, 9);
  });

  it('lists the readers as the first bottleneck', () => {
    const { limits } = planFor(footprint);
    expect(limits[0]?.part).toBe('readers');
    expect(limits.map(({ at }) => at)).toEqual(limits.map(({ at }) => at).sort((a, b) => a - b));
    const slowDatabase = planFor({ ...footprint, databaseCores: 1 });
    expect(slowDatabase.limits[0]?.part).toBe('PostgreSQL, its cores');
  });

  it('has more machines for twice the pictures, and a lower cost per picture', () => {
    const one = planFor(footprint);
    const two = planFor(footprint, { ...ASSUMED, perDay: 2_000_000 });
    expect(two.readerMachines).toBeGreaterThan(one.readerMachines);
    expect(two.pricePerThousand).toBeLessThan(one.pricePerThousand);
  });
});
