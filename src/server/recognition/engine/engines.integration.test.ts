import { describe } from 'vitest';
import {
  inItsOwnProcess,
  keepsItsQueue,
  overRedis,
  readsPictures,
  sharedEngine,
} from '../../../../tests/support/engine-suite.ts';

/** The other tests of the suite over Redis are in engines.wide.test.ts. */

describe('engine in a separate process', () => {
  const shared = sharedEngine(inItsOwnProcess);
  readsPictures(shared);
  keepsItsQueue(shared);
});

describe('engine over Redis', () => {
  readsPictures(sharedEngine(overRedis));
});
