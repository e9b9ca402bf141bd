import type {} from 'vitest/browser';

/* What a component test asks of the browser from outside its frame: `commands` of `vitest/browser`. */

/** In CSS pixels of the frame. */
export interface Point {
  x: number;
  y: number;
}

export interface Media {
  colorScheme?: 'light' | 'dark';
  forcedColors?: 'active' | 'none';
  media?: 'screen' | 'print';
  reducedMotion?: 'reduce' | 'no-preference';
}

export interface Download {
  name: string;
  base64: string;
}

export interface BrowserActions {
  /** Presses the left button at the first point, moves over the others and lets go at the last. */
  drag(points: Point[], options?: { steps?: number }): Promise<void>;
  /** One action of the mouse; `delay`: milliseconds between down and up of a click. */
  mouse(
    action: 'move' | 'down' | 'up' | 'click',
    point: Point,
    options?: { clickCount?: number; delay?: number },
  ): Promise<void>;
  wheel(point: Point, delta: Point): Promise<void>;
  /** A finger that goes along a way; `rest`: milliseconds that it waits before it moves. */
  touch(way: Point[], options?: { rest?: number }): Promise<void>;
  /** One event of one or more fingers, in sequences that `touch` cannot express. */
  touchEvent(
    type: 'touchStart' | 'touchMove' | 'touchEnd',
    points: (Point & { id?: number })[],
  ): Promise<void>;
  /** Two quick taps of a finger. */
  doubleTap(point: Point): Promise<void>;
  /** The setup takes it back after the test. */
  emulateMedia(media: Media): Promise<void>;
  /** Makes the screen one that is touched, until the test has ended. */
  emulateTouch(enabled: boolean): Promise<void>;
  /** The next file that the page hands out: called before the press, awaited after it. */
  nextDownload(): Promise<Download>;
  /**
   * Called by a test that uses the clipboard, which all pages of the browser share: waits until no other test does. The setup
   * lets go of it after the test.
   */
  holdClipboard(): Promise<void>;
  /** Takes back what a test has changed outside its page. */
  resetBrowser(): Promise<void>;
}

declare module 'vitest/browser' {
  interface BrowserCommands extends BrowserActions {}
}
