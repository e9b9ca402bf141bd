import { describe } from 'vitest';
import {
  inItsOwnProcess,
  keepsItsQueue,
  overRedis,
  readsPictures,
  sharedEngine,
} from '../../../../tests/support/engine-suite.ts';

/** Over Redis the rest of the same suite runs in engines.wide.test.ts. */

describe('engine in a process of its own', () => {
  const shared = sharedEngine(inItsOwnProcess);
  readsPictures(shared);
  keepsItsQueue(shared);
});

describe('engine over Redis', () => {
  readsPictures(sharedEngine(overRedis));
});
