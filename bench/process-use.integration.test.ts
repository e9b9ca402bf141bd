import { execFileSync, spawn } from 'node:child_process';
import { expect, test } from 'vitest';
import { computedBy, computedByEndedChildren, growthOf, memoryOf, PeakMemory } from './process-use.ts';

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

test('processor time is told of a running process and of children that have ended', () => {
  const before = { own: computedBy(process.pid), children: computedByEndedChildren() };
  execFileSync(process.execPath, ['-e', 'const end = Date.now() + 300; while (Date.now() < end);']);
  let sum = 0;
  for (let i = 0; i < 5e7; i++) sum += Math.sqrt(i);
  expect(sum).toBeGreaterThan(0);
  expect(computedByEndedChildren() - before.children).toBeGreaterThan(20);
  expect(computedBy(process.pid)).toBeGreaterThan(before.own);
  expect(computedBy(undefined)).toBe(0);
});

test('memory that swings by pictures and fills while it warms up has not grown; what is added with every picture has', () => {
  const swinging = Array.from({ length: 500 }, (_, i) => (i < 40 ? 300 : 600) + (i % 4) * 50);
  expect(growthOf(swinging).growth).toBe(1);
  expect(growthOf(swinging.map((bytes, i) => bytes + i)).growth).toBeGreaterThan(1.3);
});
