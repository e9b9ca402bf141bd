import { describe, expect, test } from 'vitest';
import { freePlace } from './free-place.ts';

const room = { width: 400, height: 300 };
const size = { width: 200, height: 60 };
const row = (top: number, bottom: number, left = 0, right = room.width) => ({ left, top, right, bottom });

describe('free place', () => {
  test('free place: is the bottom right corner if that is empty', () => {
    expect(freePlace(size, { room, controls: [], read: [], wide: [] })).toEqual({ left: 200, top: 240 });
  });

  test('free place: moves up from a control, or aside where that is nearer', () => {
    expect(freePlace(size, { room, controls: [row(250, 290)], read: [], wide: [] })).toEqual({
      left: 200,
      top: 184,
    });
    const wall = row(0, 300, 320, 400);
    expect(freePlace(size, { room, controls: [wall], read: [], wide: [] })).toEqual({ left: 100, top: 240 });
  });

  test('free place: covers text rather than a control, and a place without text rather than one with', () => {
    const covered = { room, controls: [row(0, 150)], read: [row(150, 300)], wide: [] };
    expect(freePlace(size, covered).top).toBeGreaterThanOrEqual(150);
    expect(freePlace(size, { room, controls: [], read: [row(240, 300)], wide: [] })).toEqual({
      left: 200,
      top: 176,
    });
  });

  test('free place: covers a part of a wide area before a short message', () => {
    const around = { room, controls: [], read: [row(0, 100)], wide: [row(100, 300)] };
    expect(freePlace(size, around)).toEqual({ left: 200, top: 240 });
  });

  test('free place: is below a wide area if there is room, not in a far corner to cover a little less of it', () => {
    const text = row(0, 200, 20, 380);
    expect(freePlace(size, { room, controls: [row(270, 300)], read: [], wide: [text] })).toEqual({
      left: 200,
      top: 208,
    });
    const long = row(0, 300, 60, 400);
    expect(freePlace(size, { room, controls: [], read: [], wide: [long] })).toEqual({ left: 200, top: 240 });
    expect(freePlace(size, { room, controls: [], read: [], wide: [row(0, 300, 150, 400)] }).left).toBe(0);
  });

  test('free place: covers least of the controls where they are everywhere', () => {
    const controls = [row(0, 140), row(170, 300)];
    expect(freePlace(size, { room, controls, read: [], wide: [] }).top).toBeGreaterThan(100);
    expect(freePlace(size, { room, controls, read: [], wide: [] }).top).toBeLessThan(150);
  });

  test('free place: stays within a room that is smaller than it is', () => {
    expect(freePlace({ width: 500, height: 400 }, { room, controls: [], read: [], wide: [] })).toEqual({
      left: 0,
      top: 0,
    });
  });
});
