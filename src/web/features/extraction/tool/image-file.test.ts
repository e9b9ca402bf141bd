import { describe, expect, it } from 'vitest';
import { formatSize } from '../../../ui/basics/words.ts';
import { needsServerPreview, rejectionOf } from './image-file.ts';

const file = (name: string, type: string, size = 1000) => ({ name, type, size });
const MB = 1024 * 1024;

describe('rejectionOf', () => {
  it('lets every image type through, whatever the name', () => {
    expect(rejectionOf(file('scan', 'image/png'))).toBeNull();
    expect(rejectionOf(file('notes.txt', 'image/x-unheard-of'))).toBeNull();
  });

  it('image file: the extension counts if the browser gives no type', () => {
    expect(rejectionOf(file('IMG_0042.HEIC', ''))).toBeNull();
    expect(rejectionOf(file('fax.tif', 'application/octet-stream'))).toBeNull();
  });

  it('image file: anything but an image is refused', () => {
    const title = 'Invalid file type';
    expect(rejectionOf(file('letter.pdf', 'application/pdf'))).toMatchObject({ title });
    expect(rejectionOf(file('heic', 'text/plain'))).toMatchObject({ title });
    expect(rejectionOf(file('unknown', ''))).toMatchObject({ title });
  });

  it('refuses an SVG with a sentence of its own', () => {
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

  it('names the wrong type before the wrong size', () => {
    expect(rejectionOf(file('film.mp4', 'video/mp4', 50 * MB))?.title).toBe('Invalid file type');
  });
});

it('asks the server for previews of formats that browsers cannot draw', () => {
  expect(needsServerPreview(file('a.heic', ''))).toBe(true);
  expect(needsServerPreview(file('a', 'image/tiff'))).toBe(true);
  expect(needsServerPreview(file('a.png', 'image/png'))).toBe(false);
});

it('gives sizes in megabytes with two decimals', () => {
  expect(formatSize(1.25 * MB)).toBe('1.25 MB');
  expect(formatSize(10)).toBe('0.00 MB');
});
