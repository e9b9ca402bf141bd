import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  FREE_DAILY_LIMIT,
  MAX_IMAGE_MB,
  numberInWords,
  PREMIUM_LANGUAGES,
  PREMIUM_MONTHLY_LIMIT,
  PREMIUM_PRICE,
  STORAGE_SHOWN,
} from '#contract/product';

const ROOMS = ['src/contract', 'src/server', 'src/web', 'content/legal'];

/** What people read of the product, however it could be written. */
const WRITTEN_OUT = [
  PREMIUM_PRICE.amount.replace('.', '[.,]'),
  `\\b${String(PREMIUM_MONTHLY_LIMIT).replace(/(\d{3})$/, '[,_]?$1')}\\b`,
  `\\b${STORAGE_SHOWN.replace(' ', ' ?')}\\b`,
  `\\b${MAX_IMAGE_MB} ?MB\\b`,
  PREMIUM_LANGUAGES.replace('+', '\\+'),
  `\\b(${FREE_DAILY_LIMIT}|${numberInWords(FREE_DAILY_LIMIT)}) (free |extractions|pictures a|images a)`,
  '1024 \\*\\* 3',
];

const sources = ROOMS.flatMap((room) =>
  readdirSync(room, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(tsx?|md)$/.test(file) && !/\.test\.tsx?$/.test(file))
    .map((file) => join(room, file)),
).filter((file) => file !== 'src/contract/product.ts');

describe('a price, a limit or a number of the product', () => {
  it.each(WRITTEN_OUT)('is written out in one file alone: %s', (pattern) => {
    expect(sources.length).toBeGreaterThan(200);
    const found = sources.flatMap((file) =>
      readFileSync(file, 'utf8')
        .split('\n')
        .flatMap((line, at) =>
          new RegExp(pattern, 'i').test(line) ? [`${file}:${at + 1}: ${line.trim()}`] : [],
        ),
    );
    expect(found).toEqual([]);
  });
});
