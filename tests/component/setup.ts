import '../../src/web/styles/main.css';
import { onlineManager } from '@tanstack/react-query';
import { afterEach, beforeAll, beforeEach, expect, vi } from 'vitest';
import { commands, page } from 'vitest/browser';
import { cleanup } from 'vitest-browser-react';
import { dismiss } from '../../src/web/ui/toast/toast-store.ts';
import { closeApplication } from './application.tsx';
import type {} from './browser-actions.ts';
import { resetConsole, unexpectedMessages, watchConsole } from './console.ts';
import { requests, worker } from './server.ts';

// As entry-client.tsx sets it, before a schema is loaded.
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });

// Files share one document, and this runs before each of them.
const begun = globalThis as { componentTestsBegun?: boolean };

beforeAll(async () => {
  if (begun.componentTestsBegun) return;
  begun.componentTestsBegun = true;
  watchConsole();
  await worker.start({
    quiet: true,
    onUnhandledRequest({ url }, print) {
      // Before a test has opened its page, only the page of the one before can have asked.
      if (worker.listHandlers().length > 0 && new URL(url).pathname.startsWith('/api/')) print.error();
    },
  });
});

/* Tests share one document: each begins with nothing of the one before. */
beforeEach(async () => {
  await cleanup();
  closeApplication();
  dismiss();
  // It remembers the last `offline` event, and then no query is sent.
  onlineManager.setOnline(true);
  worker.resetHandlers();
  requests.length = 0;
  localStorage.clear();
  sessionStorage.clear();
  for (const { name } of await indexedDB.databases()) if (name) indexedDB.deleteDatabase(name);
  history.replaceState(null, '', '/');
  window.scrollTo(0, 0);
  await page.viewport(1440, 900);
  resetConsole();
});

afterEach(async () => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  vi.useRealTimers();
  await commands.resetBrowser();
  expect(unexpectedMessages.join('\n'), 'unexpected messages in the console').toBe('');
});
