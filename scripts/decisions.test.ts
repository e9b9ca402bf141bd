import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

const FOLDER = 'docs/decisions';
const index = readFileSync(join(FOLDER, 'README.md'), 'utf8');
const records = readdirSync(FOLDER).filter((file) => /^\d{4}-/.test(file));

/** In this order; what is in brackets may be missing. */
const HEADINGS = /^Context(, Decision)(, Measured)?(, Consequences)(, Left aside)?$/;

test.each([...records, 'template.md'])('%s has the headings of a decision, in their order', (file) => {
  const text = readFileSync(join(FOLDER, file), 'utf8');
  const headings = [...text.matchAll(/^## (.*)$/gm)].map((match) => match[1]).join(', ');
  expect(headings).toMatch(HEADINGS);
});

test.each(records)('%s begins with its number, what was decided, and since when', (file) => {
  const [title, empty, status] = readFileSync(join(FOLDER, file), 'utf8').split('\n');
  expect(title).toMatch(new RegExp(`^# ${Number(file.slice(0, 4))}\\. \\S`));
  expect(empty).toBe('');
  expect(status).toMatch(/^(Accepted|Superseded), \d{4}-\d{2}-\d{2}\./);
});

describe('the index of decisions', () => {
  const listed = index.split(/^## /m).map((topic) => [...topic.matchAll(/^- \[(.+)\]\((\d{4}-.*)\)$/gm)]);

  test('lists every record by its title, and nothing else', () => {
    const titles = Object.fromEntries(listed.flat().map(([, title, file]) => [file, title]));
    const existing = records.map((file) => [
      file,
      readFileSync(join(FOLDER, file), 'utf8').split('\n')[0]?.slice('# '.length),
    ]);
    expect(titles).toEqual(Object.fromEntries(existing));
    expect(listed.flat()).toHaveLength(records.length);
  });

  test('lists the records of a topic in the order of their numbers', () => {
    for (const topic of listed) {
      const files = topic.map(([, , file]) => file);
      expect(files).toEqual(files.toSorted());
    }
  });

  test('has no number twice', () => {
    const numbers = records.map((file) => file.slice(0, 4));
    expect(new Set(numbers).size).toBe(numbers.length);
  });
});

test('every record that another one names exists', () => {
  for (const file of records) {
    const text = readFileSync(join(FOLDER, file), 'utf8');
    for (const [, named] of text.matchAll(/\]\((\d{4}-[^)]+\.md)\)/g)) expect(records, file).toContain(named);
  }
});
