import { afterEach, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { expectAccessible } from '../../../../../tests/component/accessible.ts';
import { openTool, pictureFile } from '../../../../../tests/component/extraction.ts';
import { chooseDevice } from '../tool/device-choice.ts';

const deviceSwitch = () => page.getByRole('switch', { name: 'Read on this device' });

afterEach(() => {
  chooseDevice(false);
  Reflect.deleteProperty(navigator, 'deviceMemory');
});

test('device switch: appears with a chosen picture, and says what it means and fetches', async () => {
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

test('device switch: is not there where the operator has switched it off', async () => {
  const tool = await openTool({ site: { readsOnDevice: false } });
  await tool.choose(await pictureFile('note'));
  await expect.element(page.getByRole('switch', { name: 'Smart Text Filtering' })).toBeVisible();
  await expect.element(deviceSwitch()).not.toBeInTheDocument();
});

test('device switch: a device with little memory is asked before anything is fetched', async () => {
  Object.defineProperty(navigator, 'deviceMemory', { value: 4, configurable: true });
  const tool = await openTool();
  await tool.choose(await pictureFile('note'));
  await deviceSwitch().click();
  await expect.element(page.getByRole('button', { name: 'Read here all the same' })).toBeVisible();
  await expect.element(deviceSwitch()).not.toBeChecked();
  await expect.element(page.getByRole('progressbar')).not.toBeInTheDocument();
});
