import { execFileSync, spawn } from 'node:child_process';
import { expect, test } from 'vitest';
import { cpuTimeOf, cpuTimeOfEndedChildren, growthOf, memoryOf, PeakMemory } from './process-use.ts';

test('PeakMemory: keeps the peak after a process freed its memory, and after its end', async () => {
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

test('cpuTimeOf: returns processor time for a running process and for ended children', () => {
  const before = { own: cpuTimeOf(process.pid), children: cpuTimeOfEndedChildren() };
  execFileSync(process.execPath, ['-e', 'const end = Date.now() + 300; while (Date.now() < end);']);
  let sum = 0;
  for (let i = 0; i < 5e7; i++) sum += Math.sqrt(i);
  expect(sum).toBeGreaterThan(0);
  expect(cpuTimeOfEndedChildren() - before.children).toBeGreaterThan(20);
  expect(cpuTimeOf(process.pid)).toBeGreaterThan(before.own);
  expect(cpuTimeOf(undefined)).toBe(0);
});

test('growthOf: ignores variation between pictures and growth during the warm-up, and detects growth with every picture', () => {
  const swinging = Array.from({ length: 500 }, (_, i) => (i < 40 ? 300 : 600) + (i % 4) * 50);
  expect(growthOf(swinging).growth).toBe(1);
  expect(growthOf(swinging.map((bytes, i) => bytes + i)).growth).toBeGreaterThan(1.3);
});
