import { describe, expect, it } from 'vitest';
import { cropEdit, type PictureEdit, rotateEdit } from './redraw-picture.ts';

const original = new File([], 'note.png');
const size = { width: 900, height: 500 };
const edit = (turns: number, crop: PictureEdit['crop']): PictureEdit => ({ original, turns, crop });

describe('picture edit', () => {
  it('picture edit: a rotation also rotates the crop, and four rotations cancel out', () => {
    const cropped = edit(0, { x: 100, y: 50, width: 300, height: 200 });
    const right = rotateEdit(cropped, size, 1);
    expect(right).toEqual(edit(1, { x: 250, y: 100, width: 200, height: 300 }));
    expect(rotateEdit(right, size, -1)).toEqual(cropped);
    const round = [1, 2, 3].reduce((turned) => rotateEdit(turned, size, 1), right);
    expect(round).toEqual(cropped);
  });

  it('picture edit: a second crop is relative to the first one', () => {
    const once = cropEdit(edit(0, null), { x: 100, y: 50, width: 300, height: 200 });
    expect(cropEdit(once, { x: 10, y: 20, width: 30, height: 40 })).toEqual(
      edit(0, { x: 110, y: 70, width: 30, height: 40 }),
    );
  });
});
