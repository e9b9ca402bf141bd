import { createHmac } from 'node:crypto';
import { expect, it } from 'vitest';
import { createKeyring, type KeyPurpose } from './keyring.ts';

const PURPOSES: readonly KeyPurpose[] = [
  'visitor',
  'registration',
  'sign-in',
  'second-factor',
  'unsubscribe',
];
const [first = '', second = ''] = ['1', '2'].map((digit) => digit.repeat(32));
const single = 's'.repeat(32);
const keyring = (cookieKeys: string[], cookieKey?: string) => createKeyring({ cookieKeys, cookieKey });

it('keyring: rejects a signature of another purpose', () => {
  const keys = keyring([first]);
  for (const purpose of PURPOSES) {
    const signed = keys.sign(purpose, 'some text');
    for (const other of PURPOSES) {
      const expected = other === purpose ? { text: 'some text', old: false } : undefined;
      expect(keys.verify(other, signed), `${purpose} as ${other}`).toEqual(expected);
    }
  }
});

it('keyring: rejects a signature of another key or text, and a truncated one', () => {
  const signed = keyring([first]).sign('visitor', 'some text');
  expect(keyring([second]).verify('visitor', signed)).toBeUndefined();
  for (const forged of [
    signed.replace('some', 'same'),
    signed.slice(0, -1),
    `${signed}x`,
    'some text',
    '.',
    '',
  ]) {
    expect(keyring([first]).verify('visitor', forged), forged).toBeUndefined();
  }
});

it('keyring: signs with the newest key, and accepts an older one until it is retired', () => {
  const before = keyring([first]);
  const rotated = keyring([second, first]);
  const retired = keyring([second]);
  const old = before.sign('visitor', 'some text');
  expect(rotated.verify('visitor', old)).toEqual({ text: 'some text', old: true });
  expect(retired.verify('visitor', old)).toBeUndefined();
  const renewed = rotated.sign('visitor', 'some text');
  expect(retired.verify('visitor', renewed)).toEqual({ text: 'some text', old: false });
  expect(before.verify('visitor', renewed)).toBeUndefined();
});

it('keyring: accepts a signature of an earlier version until its key is retired', () => {
  const signature = createHmac('sha256', single).update('some text').digest('base64').replaceAll('=', '');
  const cookie = `some text.${signature}`;
  for (const keys of [keyring([], single), keyring([second], single)]) {
    expect(keys.verify('visitor', cookie)).toEqual({ text: 'some text', old: true });
    expect(keys.verify('registration', cookie)).toEqual({ text: 'some text', old: true });
    expect(keys.verify('sign-in', cookie)).toBeUndefined();
    expect(keys.verify('unsubscribe', cookie)).toBeUndefined();
  }
  expect(keyring([single]).verify('visitor', cookie)).toBeUndefined();
});

it('keyring: accepts a mailed link of an earlier version until its key is retired', () => {
  const address = Buffer.from('nora@mail.example').toString('base64url');
  const signature = createHmac('sha256', single).update('waitlist\0nora@mail.example').digest('base64url');
  expect(keyring([second], single).verify('unsubscribe', `${address}.${signature}`)).toEqual({
    text: address,
    old: true,
  });
  const other = Buffer.from('emil@mail.example').toString('base64url');
  for (const forged of [`${other}.${signature}`, address, '.', '']) {
    expect(keyring([second], single).verify('unsubscribe', forged), forged).toBeUndefined();
  }
  expect(keyring([second]).verify('unsubscribe', `${address}.${signature}`)).toBeUndefined();
});

it('keyring: given no key, throws', () => {
  expect(() => keyring([])).toThrow('There is no key to sign with.');
});

it('keyring: decrypts data only for its owner and only unchanged, and hides its content', () => {
  const keys = keyring([first]);
  const sealed = keys.seal('a secret', 'anna');
  expect(keys.unseal(sealed, 'anna')).toBe('a secret');
  expect(sealed).not.toContain(Buffer.from('a secret').toString('base64url'));
  expect(keys.seal('a secret', 'anna')).not.toBe(sealed);
  expect(() => keys.unseal(sealed, 'berta')).toThrow();
  const other = sealed.endsWith('A') ? 'B' : 'A';
  expect(() => keys.unseal(sealed.slice(0, -1) + other, 'anna')).toThrow();
  expect(() => keys.unseal(sealed.slice(0, 12), 'anna')).toThrow();
  expect(() => keyring([second]).unseal(sealed, 'anna')).toThrow('retired or lost');
});

it('keyring: decrypts data of an older key, and reports that the key is old', () => {
  const rotated = keyring([second, first]);
  const old = keyring([first]).seal('a secret', 'anna');
  expect(rotated.unseal(old, 'anna')).toBe('a secret');
  expect(old.startsWith(rotated.sealPrefix)).toBe(false);
  expect(rotated.seal('a secret', 'anna').startsWith(rotated.sealPrefix)).toBe(true);
});
