import { describe, expect, it } from 'vitest';
import type { Picture } from '../picture/picture.ts';
import type { Region } from './geometry.ts';
import { alongLeaders } from './leaders.ts';

const [WIDTH, HEIGHT, LINE] = [900, 120, 24] as const;
const MIDDLE = 60;

interface Row {
  /** Columns of the letters before the leader. */
  text: readonly [from: number, to: number];
  dots?: readonly [from: number, to: number];
  /** Columns of the figure after it. */
  figure?: readonly [from: number, to: number];
}

function drawn({ text, dots, figure }: Row): Picture {
  const gray = new Uint8Array(WIDTH * HEIGHT).fill(245);
  const ink = (left: number, right: number, top: number, bottom: number) => {
    for (let y = top; y < bottom; y++) gray.fill(20, y * WIDTH + left, y * WIDTH + right);
  };
  for (let x = text[0]; x < text[1]; x += 10) ink(x, x + 7, MIDDLE - 7, MIDDLE + 7);
  if (dots) for (let x = dots[0]; x < dots[1]; x += 8) ink(x, x + 2, MIDDLE + 5, MIDDLE + 7);
  if (figure) ink(figure[0], figure[1], MIDDLE - 7, MIDDLE + 7);
  const size = { width: WIDTH, height: HEIGHT };
  return { ...size, gray, rgb: new Uint8Array(0), original: size, scale: 1, notices: [] } as Picture;
}

const region = (from: number, to: number): Region => ({
  cx: (from + to) / 2,
  cy: MIDDLE,
  width: to - from,
  height: LINE,
  angle: 0,
});
const edges = ({ cx, width }: Region) => [cx - width / 2, cx + width / 2];

describe('alongLeaders', () => {
  it('cuts the dots off a line and finds the figure behind them', () => {
    const picture = drawn({ text: [40, 120], dots: [128, 700], figure: [710, 716] });
    const [line, figure, ...others] = alongLeaders(picture, [region(36, 160)], 0);
    expect(others).toEqual([]);
    const [left, right] = edges(line!);
    expect(left).toBe(36);
    expect(right).toBeGreaterThan(117);
    expect(right).toBeLessThan(128);
    const [from, to] = edges(figure!);
    expect(from).toBeGreaterThan(700);
    expect(from).toBeLessThan(710);
    expect(to).toBeGreaterThan(716);
    expect(to).toBeLessThan(730);
    expect(figure!.cy).toBeCloseTo(MIDDLE, 0);
  });

  it('cuts the last dot off a detected figure', () => {
    const picture = drawn({ text: [40, 120], dots: [128, 700], figure: [710, 716] });
    const [, figure, ...others] = alongLeaders(picture, [region(36, 124), region(690, 722)], 0);
    expect(others).toEqual([]);
    expect(edges(figure!)[0]).toBeGreaterThan(694);
    expect(edges(figure!)[1]).toBe(722);
  });

  it.each<[string, Row]>([
    ['an ellipsis', { text: [40, 120], dots: [128, 150] }],
    ['a figure far to the right without dots between', { text: [40, 120], figure: [710, 716] }],
  ])('leaves a line unchanged before %s', (_what, row) => {
    expect(alongLeaders(drawn(row), [region(36, 124)], 0)).toEqual([region(36, 124)]);
  });
});
