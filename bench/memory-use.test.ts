import { spawn } from 'node:child_process';
import { expect, test } from 'vitest';
import { memoryOf, PeakMemory } from './memory-use.ts';

test('a process’ peak is kept after it gave the memory back, and after it is gone', async () => {
  const script =
    'let b = Buffer.alloc(200e6, 1); b = null; process.send("grown"); process.on("message", () => {});';
  const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  const peak = new PeakMemory();
  try {
    await new Promise((resolve) => child.once('message', resolve));
    expect(peak.look(child.pid)?.peak).toBeGreaterThan(200e6);
  } finally {
    child.kill();
    await new Promise((resolve) => child.once('exit', resolve));
  }
  expect(memoryOf(child.pid)).toBeNull();
  expect(peak.look(child.pid)).toBeNull();
  expect(peak.peak).toBeGreaterThan(200e6);
});
