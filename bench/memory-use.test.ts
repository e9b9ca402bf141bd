import { spawn } from 'node:child_process';
import { expect, test } from 'vitest';
import { memoryOf, recogniserMemory } from './memory-use.ts';

test.runIf(process.platform === 'linux')(
  'the child that once held most memory is found, its peak kept',
  async () => {
    const script =
      'let b = Buffer.alloc(200e6, 1); b = null; process.send("grown"); process.on("message", () => {});';
    const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
    try {
      await new Promise((resolve) => child.once('message', resolve));
      const use = recogniserMemory();
      expect(use?.pid).toBe(child.pid);
      expect(use?.peak).toBeGreaterThan(200e6);
    } finally {
      child.kill();
      await new Promise((resolve) => child.once('exit', resolve));
    }
    expect(memoryOf(child.pid!)).toBeNull();
  },
);
