import { describe } from 'vitest';
import {
  inSeparateProcess,
  overRedis,
  sharedEngine,
  testQueue,
  testRecognition,
} from '../../../../tests/support/engine-suite.ts';

/** The other tests of the suite over Redis are in engines.wide.test.ts. */

describe('engine in a separate process', () => {
  const shared = sharedEngine(inSeparateProcess);
  testRecognition(shared);
  testQueue(shared);
});

describe('engine over Redis', () => {
  testRecognition(sharedEngine(overRedis));
});
