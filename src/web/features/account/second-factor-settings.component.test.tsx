import decodeQR from 'qr/decode.js';
import { describe, expect, test } from 'vitest';
import { commands, page } from 'vitest/browser';
import * as people from '#contract/calls/accounts';
import { PAGES } from '#contract/paths';
import { expectAccessible } from '../../../../tests/component/accessible.ts';
import { toast } from '../../../../tests/component/application.tsx';
import { downloadBy } from '../../../../tests/component/extraction.ts';
import { AVAILABLE, type Member, member, openAs, PASSWORD } from '../../../../tests/component/people.ts';
import { answers, errorResponse, worker } from '../../../../tests/component/server.ts';

const SECRET = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP';
const CODES = Array.from({ length: 10 }, (_, at) => `abcd-efgh-jkmn-pqr${at}`);
const ON = { since: '2026-05-03T10:00:00.000Z', recoveryCodesLeft: 9 };
const uri = (username: string) =>
  `otpauth://totp/Glyphlift:${username}?issuer=Glyphlift&secret=${SECRET}&algorithm=SHA1&digits=6&period=30`;

const section = () => page.getByRole('region', { name: 'Two-step sign-in' });
const press = (name: string) => section().getByRole('button', { name, exact: true });
const code = () => section().getByLabelText('Code', { exact: true });
const password = () => section().getByLabelText('Current password');

/** Opens the account page. The mocked server checks the password. */
async function openSettings(who: Member) {
  const isWrong = async (request: Request) => (await request.json()).currentPassword !== PASSWORD;
  const wrong = () =>
    errorResponse(403, { error: 'The current password is not right.', code: 'accounts.wrong_password' });
  worker.use(
    answers(people.startSecondFactor, async (request) =>
      (await isWrong(request)) ? wrong() : { uri: uri(who.user.username), secret: SECRET },
    ),
    answers(people.confirmSecondFactor, () => {
      who.secondFactor = { ...ON, recoveryCodesLeft: 10 };
      return { recoveryCodes: CODES };
    }),
    answers(people.stopSecondFactor, async (request) => {
      if (await isWrong(request)) return wrong();
      who.secondFactor = null;
      return {};
    }),
  );
  await openAs(who, PAGES.account, { site: AVAILABLE });
  await expect.element(section()).toBeVisible();
}

async function showKey() {
  await press('Turn on').click();
  await password().fill(PASSWORD);
  await press('Continue').click();
  await expect.element(code()).toHaveFocus();
}

describe('two-step sign-in', () => {
  test.each(['light', 'dark'] as const)(
    'two-step sign-in: in the %s color scheme it shows key, QR code and recovery codes once, and then the number of codes left',
    async (colorScheme) => {
      await commands.emulateMedia({ colorScheme });
      await openSettings(member('ada'));
      await expect.element(section()).toHaveTextContent('a stolen password is not enough');
      await press('Turn on').click();
      await password().fill('wrong password');
      await press('Continue').click();
      await expect
        .element(section().getByRole('alert'))
        .toHaveTextContent('The current password is not right.');
      await press('Turn on').click();

      await showKey();
      await expect.element(section().getByRole('img', { name: /QR code/ })).toBeVisible();
      await expectAccessible();
      await code().fill('12345');
      await press('Turn on').last().click();
      await expect.element(code()).toHaveAttribute('aria-invalid', 'true');
      await code().fill('123456');
      await press('Turn on').last().click();

      const list = section().getByRole('list', { name: 'Recovery codes' });
      await expect.element(list).toHaveFocus();
      const shown = list.getByRole('listitem').elements();
      expect(shown.map(({ textContent }) => textContent)).toEqual(CODES);
      await expectAccessible();
      const file = await downloadBy(() => section().getByRole('link', { name: 'Download' }).click());
      expect(file.name).toBe('glyphlift-recovery-codes.txt');
      expect(file.text.trim().split('\n')).toEqual(CODES);
      await press('I have saved them').click();
      await expect.element(section()).toHaveTextContent('10 recovery codes are left');
    },
  );

  test('two-step sign-in: the password and a code turn it off', async () => {
    await openSettings(member('ada', { secondFactor: ON }));
    await expect.element(section()).toHaveTextContent('9 recovery codes are left');
    await press('Turn off').click();
    await expectAccessible();
    await password().fill(PASSWORD);
    await code().fill('123456');
    await press('Turn it off').click();
    await expect.element(toast()).toHaveTextContent('Two-step sign-in is off');
    await expect.element(section()).toHaveTextContent('a stolen password is not enough');
  });

  test('two-step sign-in: the QR code can be scanned in the dark color scheme and contains the displayed key', async () => {
    await commands.emulateMedia({ colorScheme: 'dark' });
    await openSettings(member('ada'));
    await showKey();
    const key = section().getByTestId('second-factor-key').element().textContent;
    expect(key?.replaceAll(' ', '')).toBe(SECRET);
    const drawn = section().getByRole('img', { name: /QR code/ });
    await expect.element(drawn).toBeVisible();
    const png = await drawn.screenshot({ save: false });
    expect(decodeQR(await pixelsOf(png))).toBe(uri('ada'));
  });
});

async function pixelsOf(png: string): Promise<ImageData> {
  const bytes = Uint8Array.from(atob(png), (character) => character.charCodeAt(0));
  const bitmap = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
  const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d')!;
  context.drawImage(bitmap, 0, 0);
  return context.getImageData(0, 0, bitmap.width, bitmap.height);
}
