import { describe } from 'vitest';
import { keepsItsQueue, overRedis, sharedEngine } from '../../../../tests/support/engine-suite.ts';

describe('engine over Redis', () => {
  keepsItsQueue(sharedEngine(overRedis));
});
