/* An unexpected warning or error in the console fails the test. */

export const unexpectedMessages: string[] = [];
let expected: RegExp[] = [];

/** Allows messages that match one of the patterns, until the end of the test. */
export function expectConsole(...patterns: RegExp[]): void {
  expected = patterns;
}

/** Records every warning and error of the page from now on, including those of React. */
export function watchConsole(): void {
  for (const level of ['error', 'warn'] as const) {
    const write = console[level].bind(console);
    console[level] = (...parts: unknown[]) => {
      record(parts.map(String).join(' '));
      write(...parts);
    };
  }
  window.addEventListener('error', ({ message }) => record(`uncaught: ${message}`));
  window.addEventListener('unhandledrejection', ({ reason }) => record(`uncaught: ${reason}`));
}

export function resetConsole(): void {
  unexpectedMessages.length = 0;
  expected = [];
}

function record(text: string) {
  if (!expected.some((pattern) => pattern.test(text))) unexpectedMessages.push(text);
}
