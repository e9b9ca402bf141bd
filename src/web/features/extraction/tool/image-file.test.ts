import { describe, expect, it } from 'vitest';
import { formatSize } from '../../../ui/basics/words.ts';
import { needsServerPreview, rejectionOf } from './image-file.ts';

const file = (name: string, type: string, size = 1000) => ({ name, type, size });
const MB = 1024 * 1024;

describe('rejectionOf', () => {
  it('accepts every image type with any name', () => {
    expect(rejectionOf(file('scan', 'image/png'))).toBeNull();
    expect(rejectionOf(file('notes.txt', 'image/x-unheard-of'))).toBeNull();
  });

  it('uses the extension if the browser gives no type', () => {
    expect(rejectionOf(file('IMG_0042.HEIC', ''))).toBeNull();
    expect(rejectionOf(file('fax.tif', 'application/octet-stream'))).toBeNull();
  });

  it('refuses files that are not images', () => {
    const title = 'Invalid file type';
    expect(rejectionOf(file('letter.pdf', 'application/pdf'))).toMatchObject({ title });
    expect(rejectionOf(file('heic', 'text/plain'))).toMatchObject({ title });
    expect(rejectionOf(file('unknown', ''))).toMatchObject({ title });
  });

  it('refuses an SVG with a specific message', () => {
    const refused = { title: 'An SVG is a drawing, not a picture' };
    expect(rejectionOf(file('logo.svg', 'image/svg+xml'))).toMatchObject(refused);
    expect(rejectionOf(file('logo.svg', ''))).toMatchObject(refused);
    expect(rejectionOf(file('photo.svg', 'image/png'))).toBeNull();
  });

  it('allows exactly ten megabytes and not one byte more', () => {
    expect(rejectionOf(file('a.png', 'image/png', 10 * MB))).toBeNull();
    expect(rejectionOf(file('a.png', 'image/png', 10 * MB + 1))).toEqual({
      title: 'File too large',
      description: 'Please select an image smaller than 10MB',
    });
  });

  it('reports a wrong type before a wrong size', () => {
    expect(rejectionOf(file('film.mp4', 'video/mp4', 50 * MB))?.title).toBe('Invalid file type');
  });
});

it('needsServerPreview: is true for formats that browsers cannot draw', () => {
  expect(needsServerPreview(file('a.heic', ''))).toBe(true);
  expect(needsServerPreview(file('a', 'image/tiff'))).toBe(true);
  expect(needsServerPreview(file('a.png', 'image/png'))).toBe(false);
});

it('formatSize: returns megabytes with two decimals', () => {
  expect(formatSize(1.25 * MB)).toBe('1.25 MB');
  expect(formatSize(10)).toBe('0.00 MB');
});
