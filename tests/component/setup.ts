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

// Like entry-client.tsx, before a schema is loaded.
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });

// This runs before each file, but files share one document and need only one start.
const shared = globalThis as { componentTestsStarted?: boolean };

beforeAll(async () => {
  if (shared.componentTestsStarted) return;
  shared.componentTestsStarted = true;
  watchConsole();
  await worker.start({
    quiet: true,
    onUnhandledRequest({ url }, print) {
      // Without handlers the test has not opened its page yet: the request is one of the previous test.
      if (worker.listHandlers().length > 0 && new URL(url).pathname.startsWith('/api/')) print.error();
    },
  });
});

/* Tests share one document. Remove everything of the previous test. */
beforeEach(async () => {
  await cleanup();
  closeApplication();
  dismiss();
  // The manager remembers the last `offline` event and would not send any query.
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
