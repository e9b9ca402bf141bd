import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { CALLS } from '#contract/calls';
import { extractText } from '#contract/calls/recognition';
import { describeCalls } from '#contract/calls/site';
import { describeApi } from '#contract/openapi';
import { PAGES } from '#contract/paths';
import documentPython from '../../../content/examples/read_document.py?raw';
import picturePython from '../../../content/examples/read_picture.py?raw';
import documentShell from '../../../content/examples/read-document.sh?raw';
import documentTypescript from '../../../content/examples/read-document.ts?raw';
import pictureShell from '../../../content/examples/read-picture.sh?raw';
import pictureTypescript from '../../../content/examples/read-picture.ts?raw';
import receiverPython from '../../../content/examples/receive_webhook.py?raw';
import receiverTypescript from '../../../content/examples/receive-webhook.ts?raw';
import { openApplication, SITE } from '../../../tests/component/application.tsx';
import { answers, worker } from '../../../tests/component/server.ts';

const EXAMPLES = {
  'Example in curl': pictureShell,
  'Example in TypeScript': pictureTypescript,
  'Example in Python': picturePython,
  'Job in curl': documentShell,
  'Job in TypeScript': documentTypescript,
  'Job in Python': documentPython,
  'Webhook in TypeScript': receiverTypescript,
  'Webhook in Python': receiverPython,
};

test('API page: begins with a key, a request and its response, and shows every example file unchanged', async () => {
  const cookies = { visitor: 'visitor', session: 'session' };
  const description = describeApi(CALLS, { publicUrl: SITE.publicUrl, version: '1', cookies });
  worker.use(answers(describeCalls, () => description));
  await openApplication(PAGES.developers);
  for (const [name, code] of Object.entries(EXAMPLES)) {
    const shown = page.getByLabelText(name, { exact: true });
    await expect.element(shown).toBeVisible();
    expect(shown.element().textContent?.trimEnd()).toBe(code.trimEnd());
  }
  const shown = (name: string) => page.getByLabelText(name, { exact: true }).element().textContent;
  expect(JSON.parse(shown('JSON body')!)).toMatchObject({ image: expect.any(String) });
  expect(shown('First request')).toContain(`curl ${SITE.publicUrl}${extractText.path} `);
  expect(JSON.parse(shown('First answer')!)).toMatchObject({ extractedText: expect.any(String) });
  const headings = [...document.querySelectorAll('main :is(h1, h2, h3)')].map(
    ({ textContent }) => textContent,
  );
  expect(headings.filter((text) => text !== 'On this page').slice(1, 6)).toEqual([
    'First call',
    '1. Make a key',
    '2. Send an image',
    '3. Use its text',
    'Guide',
  ]);
  await expect.poll(() => document.querySelector('#extractText')?.textContent).toContain('key: read');
});
