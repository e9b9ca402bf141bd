import type {} from 'vitest/browser';

/* Actions that a component test runs outside its frame: the `commands` of `vitest/browser`. */

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
  /** A finger that moves along a path; `rest`: milliseconds that it waits before it moves. */
  touch(path: Point[], options?: { rest?: number }): Promise<void>;
  /** One event of one or more fingers, in sequences that `touch` cannot express. */
  touchEvent(
    type: 'touchStart' | 'touchMove' | 'touchEnd',
    points: (Point & { id?: number })[],
  ): Promise<void>;
  /** Two quick taps of a finger. */
  doubleTap(point: Point): Promise<void>;
  /** The setup resets it after the test. */
  emulateMedia(media: Media): Promise<void>;
  /** Turns the touch screen on or off. The setup turns it off after the test. */
  emulateTouch(enabled: boolean): Promise<void>;
  /** The next download of the page. Call it before the click and await it after the click. */
  nextDownload(): Promise<Download>;
  /**
   * Locks the clipboard, which all pages of the browser share: waits until no other test uses it. The setup releases it after
   * the test.
   */
  holdClipboard(): Promise<void>;
  /** Resets everything that a test has changed outside its page. */
  resetBrowser(): Promise<void>;
}

declare module 'vitest/browser' {
  interface BrowserCommands extends BrowserActions {}
}
