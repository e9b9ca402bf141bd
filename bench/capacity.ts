/**
 * Models waiting times and the number of machines from measurements: pure functions, without a clock.
 *
 * Pictures arrive at random (Poisson) at `servers` readers, each of which reads one at a time in a varying time. Waiting is
 * Erlang's for exponential times (M/M/c), corrected for the measured spread by Allen and Cunneen: times the mean of the
 * squared coefficients of variation of arrivals and of service. It is exact for one server with Poisson arrivals (Pollaczek
 * and Khinchine), and accurate to some percent for several under load.
 */

/** Service time, in seconds. */
export interface Service {
  mean: number;
  /** Squared coefficient of variation: variance divided by the squared mean. 0: constant; 1: exponential. */
  scv: number;
}

export function serviceOf(seconds: readonly number[]): Service {
  if (seconds.length === 0) throw new Error('There is no service time to go by.');
  const mean = seconds.reduce((sum, one) => sum + one, 0) / seconds.length;
  const variance = seconds.reduce((sum, one) => sum + (one - mean) ** 2, 0) / seconds.length;
  return { mean, scv: variance / mean ** 2 };
}

/**
 * Erlang C: the probability that an arrival has to wait.
 * @param load arrivals per second times seconds of service, in servers; 1 is returned where it is no less than `servers`
 */
export function waitingProbability(servers: number, load: number): number {
  if (load >= servers) return 1;
  // Erlang's B from one server to the next, which stays between 0 and 1 where factorials would overflow.
  let blocked = 1;
  for (let at = 1; at <= servers; at++) blocked = (load * blocked) / (at + load * blocked);
  return blocked / (1 - (load / servers) * (1 - blocked));
}

export interface Waiting {
  /** Utilization of the servers, 0 to 1. */
  busy: number;
  chance: number;
  /** Mean wait of all arrivals in seconds. */
  mean: number;
  /** Quantile of the wait in seconds; `share`: 0 to 1. */
  within(share: number): number;
}

/**
 * @param rate arrivals per second
 * @param arrivalScv squared coefficient of variation of the times between arrivals; 1: Poisson
 */
export function waitingFor(rate: number, servers: number, service: Service, arrivalScv = 1): Waiting {
  const load = rate * service.mean;
  if (load >= servers) {
    const never = Number.POSITIVE_INFINITY;
    return { busy: 1, chance: 1, mean: never, within: () => never };
  }
  const chance = waitingProbability(servers, load);
  const spread = (arrivalScv + service.scv) / 2;
  // The distribution of the wait, given that an arrival waits, is nearly exponential.
  const meanWaitIfWaiting = (service.mean / (servers - load)) * spread;
  return {
    busy: load / servers,
    chance,
    mean: chance * meanWaitIfWaiting,
    within: (share) => Math.max(0, meanWaitIfWaiting * Math.log(chance / (1 - share))),
  };
}

/** The minimum number of servers with which a share of arrivals waits no longer than `seconds`. */
export function serversFor(
  rate: number,
  service: Service,
  { share, seconds }: { share: number; seconds: number },
): number {
  for (let servers = Math.max(1, Math.ceil(rate * service.mean)); ; servers++) {
    if (waitingFor(rate, servers, service).within(share) <= seconds) return servers;
  }
}

/** Arrivals per second in each hour of a day: a wave whose highest hour has `peakFactor` times the mean; at most 2. */
export function dailyCurve(perDay: number, peakFactor: number, peakHour = 14): number[] {
  if (peakFactor < 1 || peakFactor > 2) throw new Error('A wave has a peak of one to two times its mean.');
  const mean = perDay / 86_400;
  return Array.from(
    { length: 24 },
    (_, hour) => mean * (1 + (peakFactor - 1) * Math.cos(((hour - peakHour) / 12) * Math.PI)),
  );
}

/** Measured cost of one extraction for each part of the installation. */
export interface Footprint {
  service: Service;
  /** Cores that one reader uses while it reads a picture. */
  coresPerReader: number;
  /** Core seconds of the web process per extraction, including the page views and calls around it. */
  webCores: number;
  redisCores: number;
  redisCommands: number;
  /** Network traffic of Redis in both directions. */
  redisBytes: number;
  databaseCores: number;
  statements: number;
  /** Bytes of a picture. */
  pictureBytes: number;
  /** Resident bytes of a worker with its recognition process, and of a web process. */
  readerMemory: number;
  webMemory: number;
}

/** Assumptions that are not measured; each can be overridden. */
export interface Assumptions {
  perDay: number;
  peakFactor: number;
  /** Promised maximum wait in seconds of a share of the pictures at the peak. */
  wait: { share: number; seconds: number };
  /** Number of machines that may fail without an effect. */
  spare: number;
  machine: { cores: number; memory: number; pricePerMonth: number };
  /** Price of PostgreSQL and Redis, each with a standby. */
  databasePerMonth: number;
  redisPerMonth: number;
  /** Network bandwidth of Redis, in bytes per second. */
  networkBytes: number;
  /** Planned utilization of any resource. */
  planned: number;
  /** Cores of PostgreSQL; Redis uses one core. */
  databaseCores: number;
}

export const ASSUMED: Assumptions = {
  perDay: 1_000_000,
  peakFactor: 2,
  wait: { share: 0.95, seconds: 2 },
  spare: 1,
  machine: { cores: 16, memory: 32e9, pricePerMonth: 300 },
  databasePerMonth: 400,
  redisPerMonth: 150,
  networkBytes: 1.25e9,
  planned: 0.6,
  databaseCores: 4,
};

export interface Plan {
  /** Extractions per second. */
  meanRate: number;
  peakRate: number;
  readers: number;
  readerMachines: number;
  webProcesses: number;
  webMachines: number;
  /** At the peak, seconds. */
  wait: { mean: number; p95: number };
  /** Bytes. */
  memory: { ofAllReaders: number; ofRedis: number };
  /** At the peak, per second. */
  redis: { commands: number; bytes: number; busy: number };
  database: { statements: number; busy: number };
  pricePerMonth: number;
  /** Per extraction, in thousandths of the currency. */
  pricePerThousand: number;
  /** Multiple of the planned load at which each part is saturated, in ascending order. */
  limits: { part: string; at: number }[];
}

/** Memory of a picture in Redis relative to its size. Pictures are in Redis while they wait and while they are read. */
const REDIS_FACTOR = 1.2;

export function planFor(footprint: Footprint, assumed: Assumptions = ASSUMED): Plan {
  const { service } = footprint;
  const { perDay, wait, spare, machine, planned, networkBytes } = assumed;
  const curve = dailyCurve(perDay, assumed.peakFactor);
  const meanRate = perDay / 86_400;
  const peakRate = Math.max(...curve);

  const readers = serversFor(peakRate, service, wait);
  const readersOfMachine = Math.max(
    1,
    Math.floor(Math.min(machine.cores / footprint.coresPerReader, machine.memory / footprint.readerMemory)),
  );
  const readerMachines = Math.ceil(readers / readersOfMachine) + spare;
  const webProcesses = Math.ceil((peakRate * footprint.webCores) / planned) + spare;
  const webMachines = Math.max(1 + spare, Math.ceil(webProcesses / machine.cores));
  const waiting = waitingFor(peakRate, readers, service);

  const redis = {
    commands: peakRate * footprint.redisCommands,
    bytes: peakRate * footprint.redisBytes,
    busy: peakRate * footprint.redisCores,
  };
  const database = {
    statements: peakRate * footprint.statements,
    busy: (peakRate * footprint.databaseCores) / assumed.databaseCores,
  };
  const inSystem = peakRate * (waiting.mean + service.mean);
  const pricePerMonth =
    (readerMachines + webMachines) * machine.pricePerMonth + assumed.databasePerMonth + assumed.redisPerMonth;
  const full = (used: number) => (used === 0 ? Number.POSITIVE_INFINITY : 1 / used);
  const limits = [
    { part: 'readers', at: readers / (peakRate * service.mean) },
    { part: 'web processes', at: full((peakRate * footprint.webCores) / webProcesses) },
    { part: 'Redis, its one core', at: full(redis.busy) },
    { part: 'Redis, its network', at: full(redis.bytes / networkBytes) },
    { part: 'PostgreSQL, its cores', at: full(database.busy) },
  ].sort((a, b) => a.at - b.at);

  return {
    meanRate,
    peakRate,
    readers,
    readerMachines,
    webProcesses,
    webMachines,
    wait: { mean: waiting.mean, p95: waiting.within(0.95) },
    memory: {
      ofAllReaders: readers * footprint.readerMemory,
      ofRedis: inSystem * footprint.pictureBytes * REDIS_FACTOR,
    },
    redis,
    database,
    pricePerMonth,
    pricePerThousand: pricePerMonth / ((perDay * 30) / 1_000),
    limits,
  };
}
