import type { Page } from '@playwright/test';
import { expect } from './test.ts';

/** Timeout for downloading the engine and reading, on a busy machine. */
export const DEVICE_TIMEOUT_MS = 120_000;

export const deviceSwitch = (page: Page) => page.getByRole('switch', { name: 'Read on this device' });

/** Waits until the engine's files are downloaded and the switch is on. */
export async function expectEngine(page: Page, timeout = DEVICE_TIMEOUT_MS): Promise<void> {
  await expect(page.getByRole('progressbar', { name: /Fetching/ })).toBeHidden({ timeout });
  await expect(deviceSwitch(page)).toBeChecked();
}

export const expectReadOnDevice = (page: Page, timeout = DEVICE_TIMEOUT_MS) =>
  expect(page.getByText('Read on this device: the picture was not sent.')).toBeVisible({ timeout });
