/* A warning or an error in the console that a test does not expect fails it. */

export const unexpectedMessages: string[] = [];
let expected: RegExp[] = [];

/** For the test that is running. */
export function expectConsole(...patterns: RegExp[]): void {
  expected = patterns;
}

/** Notes every warning and error of the page from now on; React's own among them. */
export function watchConsole(): void {
  for (const level of ['error', 'warn'] as const) {
    const write = console[level].bind(console);
    console[level] = (...parts: unknown[]) => {
      note(parts.map(String).join(' '));
      write(...parts);
    };
  }
  window.addEventListener('error', ({ message }) => note(`uncaught: ${message}`));
  window.addEventListener('unhandledrejection', ({ reason }) => note(`uncaught: ${reason}`));
}

export function resetConsole(): void {
  unexpectedMessages.length = 0;
  expected = [];
}

function note(text: string) {
  if (!expected.some((pattern) => pattern.test(text))) unexpectedMessages.push(text);
}
