import { describe } from 'vitest';
import { overRedis, sharedEngine, testQueue } from '../../../../tests/support/engine-suite.ts';

describe('engine over Redis', () => {
  testQueue(sharedEngine(overRedis));
});
