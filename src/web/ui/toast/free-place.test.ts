import { describe, expect, test } from 'vitest';
import { freePlace } from './free-place.ts';

const viewport = { width: 400, height: 300 };
const size = { width: 200, height: 60 };
const row = (top: number, bottom: number, left = 0, right = viewport.width) => ({ left, top, right, bottom });

describe('freePlace', () => {
  test('freePlace: is the bottom right corner if that is empty', () => {
    expect(freePlace(size, { viewport, controls: [], messages: [], areas: [] })).toEqual({
      left: 200,
      top: 240,
    });
  });

  test('freePlace: moves up from a control, or sideways if that is nearer', () => {
    expect(freePlace(size, { viewport, controls: [row(250, 290)], messages: [], areas: [] })).toEqual({
      left: 200,
      top: 184,
    });
    const wall = row(0, 300, 320, 400);
    expect(freePlace(size, { viewport, controls: [wall], messages: [], areas: [] })).toEqual({
      left: 100,
      top: 240,
    });
  });

  test('freePlace: avoids controls first and then messages', () => {
    const covered = { viewport, controls: [row(0, 150)], messages: [row(150, 300)], areas: [] };
    expect(freePlace(size, covered).top).toBeGreaterThanOrEqual(150);
    expect(freePlace(size, { viewport, controls: [], messages: [row(240, 300)], areas: [] })).toEqual({
      left: 200,
      top: 176,
    });
  });

  test('freePlace: covers a part of a wide area rather than a short message', () => {
    const obstacles = { viewport, controls: [], messages: [row(0, 100)], areas: [row(100, 300)] };
    expect(freePlace(size, obstacles)).toEqual({ left: 200, top: 240 });
  });

  test('freePlace: is below a wide area if there is space, not in a far corner to cover slightly less of it', () => {
    const text = row(0, 200, 20, 380);
    expect(freePlace(size, { viewport, controls: [row(270, 300)], messages: [], areas: [text] })).toEqual({
      left: 200,
      top: 208,
    });
    const long = row(0, 300, 60, 400);
    expect(freePlace(size, { viewport, controls: [], messages: [], areas: [long] })).toEqual({
      left: 200,
      top: 240,
    });
    expect(
      freePlace(size, { viewport, controls: [], messages: [], areas: [row(0, 300, 150, 400)] }).left,
    ).toBe(0);
  });

  test('freePlace: covers the smallest area of controls if none can be avoided', () => {
    const controls = [row(0, 140), row(170, 300)];
    expect(freePlace(size, { viewport, controls, messages: [], areas: [] }).top).toBeGreaterThan(100);
    expect(freePlace(size, { viewport, controls, messages: [], areas: [] }).top).toBeLessThan(150);
  });

  test('freePlace: is the top left corner of a viewport smaller than the box', () => {
    expect(
      freePlace({ width: 500, height: 400 }, { viewport, controls: [], messages: [], areas: [] }),
    ).toEqual({
      left: 0,
      top: 0,
    });
  });
});
