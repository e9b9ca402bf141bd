import { http } from 'msw';
import { afterEach, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { describeLanguageData, previewPicture } from '#contract/calls/recognition';
import { expectAccessible } from '../../../../../tests/component/accessible.ts';
import { openTool, pictureFile } from '../../../../../tests/component/extraction.ts';
import { answers, worker } from '../../../../../tests/component/server.ts';
import { DEVICE_CACHE } from '../../../offline/registration.ts';
import { chooseDevice, deviceChoice } from '../tool/device-choice.ts';

const deviceSwitch = () => page.getByRole('switch', { name: 'Read on this device' });

afterEach(() => {
  chooseDevice(null);
  Reflect.deleteProperty(navigator, 'deviceMemory');
});

test('device switch: appears with a chosen picture, and describes its effect and its download', async () => {
  const tool = await openTool();
  await expect.element(deviceSwitch()).not.toBeInTheDocument();
  await tool.choose(await pictureFile('note'));
  await expect.element(deviceSwitch()).not.toBeChecked();
  await expect
    .element(deviceSwitch())
    .toHaveAccessibleDescription(
      'English only; neither the picture nor its text is sent. Fetches 14 MB, once',
    );
  await expectAccessible();
});

test.each([
  [false, /HEIC takes 0\.5 MB more if the browser cannot open it$/],
  [true, /Fetches 14 MB, once$/],
])(
  'device switch: shows the size of the HEIC decoder for a HEIC picture, unless it is stored (%s)',
  async (isHere, words) => {
    worker.use(http.post(previewPicture.path, () => new Promise<never>(() => {})));
    if (isHere)
      await (await caches.open(DEVICE_CACHE)).put('/assets/heic-worker-a.js', new Response('a script'));
    const tool = await openTool();
    await tool.choose(new File([await pictureFile('note')], 'IMG_0042.HEIC', { type: 'image/heic' }));
    await expect.element(deviceSwitch()).toHaveAccessibleDescription(words);
    await caches.delete(DEVICE_CACHE);
  },
);

test('device switch: is hidden if the operator has disabled it', async () => {
  const tool = await openTool({ site: { readsOnDevice: false } });
  await tool.choose(await pictureFile('note'));
  await expect.element(page.getByRole('switch', { name: 'Smart Text Filtering' })).toBeVisible();
  await expect.element(deviceSwitch()).not.toBeInTheDocument();
});

test('device switch: on a device with little memory it asks for a confirmation before it fetches files', async () => {
  Object.defineProperty(navigator, 'deviceMemory', { value: 4, configurable: true });
  const tool = await openTool();
  await tool.choose(await pictureFile('note'));
  await deviceSwitch().click();
  await expect.element(page.getByRole('button', { name: 'Read here anyway' })).toBeVisible();
  await expect.element(deviceSwitch()).not.toBeChecked();
  await expect.element(page.getByRole('progressbar')).not.toBeInTheDocument();
});

test('device switch: the stored files can be removed while it is on, and without a picture', async () => {
  await (await caches.open(DEVICE_CACHE)).put('/device/part', new Response('a part'));
  chooseDevice(true);
  await openTool();
  await expect.element(deviceSwitch()).toBeChecked();
  await page.getByRole('button', { name: 'Remove its files from this device' }).click();
  await expect.element(deviceSwitch()).not.toBeChecked();
  expect(await caches.has(DEVICE_CACHE)).toBe(false);
  expect(deviceChoice.get()).toBeNull();
});

test.each([
  [['deu'], 'Reads German here; neither the picture nor its text is sent. Fetches 16.7 MB, once'],
  [['deu', 'fra'], 'One language at a time; neither the picture nor its text is sent. Fetches 14 MB, once'],
])('device switch: describes reading in %s and the size of its data', async (chosen, words) => {
  worker.use(
    answers(describeLanguageData, () => ({ name: 'German', bytes: 2_700_000, sha256: 'a'.repeat(64) })),
  );
  localStorage.setItem('languages', chosen.join('+'));
  const tool = await openTool({
    state: {
      user: { username: 'polyglot', email: 'polyglot@example.org', isPremium: true },
      languages: ['eng', ...chosen].map((code) => ({ code, name: code, allowed: true, installed: true })),
    },
  });
  await tool.choose(await pictureFile('note'));
  await expect.element(deviceSwitch()).toHaveAccessibleDescription(words);
  localStorage.removeItem('languages');
});
