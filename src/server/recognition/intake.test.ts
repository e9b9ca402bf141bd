import { describe, expect, it } from 'vitest';
import { createIntake } from './intake.ts';

const MB = 1024 * 1024;
const refusalOf = (work: () => unknown) => {
  try {
    work();
  } catch (error) {
    return (error as { code: string }).code;
  }
  return undefined;
};

describe('the intake of pictures', () => {
  it('takes a hundred uploads of one address at once, and those of others beside them', () => {
    const intake = createIntake({ memoryBytes: 512 * MB });
    for (let count = 0; count < 100; count++) intake.admit(`visitor ${count}`, 'office');
    expect(refusalOf(() => intake.admit('one more', 'office'))).toBe(
      'recognition.too_many_uploads_from_network',
    );
    expect(refusalOf(() => intake.admit('stranger', 'elsewhere'))).toBeUndefined();
  });

  it('takes sixty uploads of one visitor at once, whatever addresses they come from', () => {
    const intake = createIntake({ memoryBytes: 512 * MB });
    for (let count = 0; count < 60; count++) intake.admit('busy', `address ${count}`);
    expect(refusalOf(() => intake.admit('busy', 'home'))).toBe('recognition.too_many_uploads_of_one');
  });

  it('counts bytes that have arrived, of a visitor, an address and everybody', () => {
    const intake = createIntake({ memoryBytes: 80 * MB });
    const mine = intake.admit('me', 'office');
    mine.keep(10 * MB);
    expect(refusalOf(() => mine.keep(1))).toBe('recognition.too_many_uploads_of_one');
    intake.admit('colleague', 'office').keep(10 * MB);
    expect(refusalOf(() => intake.admit('third', 'office').keep(1))).toBe(
      'recognition.too_many_uploads_from_network',
    );
    for (let count = 0; count < 6; count++) intake.admit(`visitor ${count}`, `${count}`).keep(10 * MB);
    expect(refusalOf(() => intake.admit('last', 'last').keep(1))).toBe('recognition.too_many_uploads');
  });

  it('has room again for as much as has left', () => {
    const intake = createIntake({ memoryBytes: 80 * MB });
    const first = intake.admit('me', 'office');
    first.keep(10 * MB);
    first.leave();
    first.leave();
    const second = intake.admit('me', 'office');
    second.keep(10 * MB);
    expect(refusalOf(() => second.keep(1))).toBe('recognition.too_many_uploads_of_one');
  });
});
