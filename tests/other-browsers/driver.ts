/** The interface between the journeys and a browser, which both automation protocols can implement. */

/** A value that the protocols can transfer. */
export type Json =
  | string
  | number
  | boolean
  | null
  | undefined
  | readonly Json[]
  | { readonly [key: string]: Json };

/** A tab with its own cookies and storage. */
export interface Tab {
  /** Resolves after the load event. */
  open(url: string): Promise<void>;
  /** Resolves after the load event. */
  reload(): Promise<void>;
  back(): Promise<void>;
  /** Runs a function in the page. Only its source is transferred, so it must be self-contained. */
  evaluate<Args extends Json[], Result>(
    work: (...args: Args) => Result | Promise<Result>,
    ...args: Args
  ): Promise<Result>;
  /** Clicks with the mouse, at CSS pixels from the top left corner of the viewport. */
  clickAt(x: number, y: number): Promise<void>;
  /** Presses keys in this order and releases them. A key is a character or one of `NAMED_KEYS`. */
  pressTogether(keys: readonly string[]): Promise<void>;
  type(text: string): Promise<void>;
  /** Chooses files in the first file input of the page. Absolute paths. */
  chooseFiles(paths: readonly string[]): Promise<void>;
  /** The inner size of the window in CSS pixels. */
  setViewport(width: number, height: number): Promise<void>;
  /** Errors and warnings in the console, uncaught exceptions and violations of the content security policy. */
  consoleErrors(): Promise<readonly string[]>;
  close(): Promise<void>;
}

export interface Browser {
  newTab(): Promise<Tab>;
  /** The folder where this browser saves downloads. */
  readonly downloads: string;
  /** The suffix of a download that is still being written. */
  readonly unfinishedDownload: string;
  close(): Promise<void>;
}

/** Keys without a character, as WebDriver encodes them. */
export const NAMED_KEYS: Readonly<Record<string, string>> = {
  Alt: '\uE00A',
  Control: '\uE009',
  Delete: '\uE017',
  End: '\uE010',
  Enter: '\uE007',
  Escape: '\uE00C',
  F2: '\uE032',
  Home: '\uE011',
  Shift: '\uE008',
  Tab: '\uE004',
};
