import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';
import { Signer } from '@fastify/cookie';

/** Signs and verifies. Each purpose has its own key, so that a signature for one is invalid for another. */
export type KeyPurpose = 'visitor' | 'registration' | 'sign-in' | 'second-factor' | 'unsubscribe';

export interface RootKeys {
  cookieKeys: readonly string[];
  /** A key of earlier versions, which did not derive a key per purpose. Its signatures are still accepted. */
  cookieKey: string | undefined;
}

export interface Keyring {
  /** `text` with a dot and a signature appended. */
  sign(purpose: KeyPurpose, text: string): string;
  /** Undefined for an unknown signature or one for another purpose. `old`: signed with a key that no longer signs. */
  verify(purpose: KeyPurpose, signed: string): { text: string; old: boolean } | undefined;
  /** Encrypts data for the database, bound to `owner`. */
  seal(text: string, owner: string): string;
  /** @throws {Error} if it was encrypted for another purpose or by a retired key, or was changed. */
  unseal(sealed: string, owner: string): string;
  /** Prefix of all texts that the newest key encrypted. */
  sealPrefix: string;
}

/** @throws {Error} without any key. */
export function createKeyring({ cookieKeys, cookieKey }: RootKeys): Keyring {
  const roots = cookieKey === undefined ? cookieKeys : [...cookieKeys, cookieKey];
  const derived = (purpose: KeyPurpose) => roots.map((root) => deriveKey(root, purpose));
  // Old signatures do not distinguish these two purposes, so callers also check the form of the text.
  const legacyKeys = cookieKey === undefined ? [] : [Buffer.from(cookieKey)];
  const signers: Record<KeyPurpose, Signer> = {
    visitor: new Signer([...derived('visitor'), ...legacyKeys]),
    registration: new Signer([...derived('registration'), ...legacyKeys]),
    'sign-in': new Signer(derived('sign-in')),
    'second-factor': new Signer(derived('second-factor')),
    unsubscribe: new Signer(derived('unsubscribe')),
  };
  const seals = roots.map((root) => {
    const key = deriveKey(root, 'seal');
    return { key, prefix: `${createHash('sha256').update(key).digest('base64url').slice(0, 8)}.` };
  });
  const [newest] = seals;
  if (!newest) throw new Error('There is no key to sign with.');
  return {
    sign: (purpose, text) => signers[purpose].sign(text),
    verify(purpose, signed) {
      const { valid, renew, value } = signers[purpose].unsign(signed);
      if (valid) return { text: value, old: renew };
      if (purpose !== 'unsubscribe' || cookieKey === undefined) return undefined;
      return verifyOldLink(cookieKey, signed);
    },
    sealPrefix: newest.prefix,
    seal: (text, owner) => newest.prefix + encrypt(newest.key, text, owner),
    unseal(sealed, owner) {
      const seal = seals.find(({ prefix }) => sealed.startsWith(prefix));
      if (!seal) throw new Error('the key that encrypted this is retired or lost');
      return decrypt(seal.key, sealed.slice(seal.prefix.length), owner);
    },
  };
}

const CIPHER = 'aes-256-gcm';

function encrypt(key: Buffer, text: string, owner: string): string {
  const nonce = randomBytes(12);
  const cipher = createCipheriv(CIPHER, key, nonce).setAAD(Buffer.from(owner));
  const parts = [nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()];
  return Buffer.concat(parts).toString('base64url');
}

function decrypt(key: Buffer, encrypted: string, owner: string): string {
  const bytes = Buffer.from(encrypted, 'base64url');
  const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, 12), { authTagLength: 16 })
    .setAAD(Buffer.from(owner))
    .setAuthTag(bytes.subarray(-16));
  return Buffer.concat([decipher.update(bytes.subarray(12, -16)), decipher.final()]).toString('utf8');
}

function deriveKey(root: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', root, '', `glyphlift ${purpose}`, 32));
}

/** Verifies an unsubscribe link of an earlier version, because people keep mails for years. */
function verifyOldLink(key: string, signed: string): { text: string; old: true } | undefined {
  const [encoded = '', signature = ''] = signed.split('.');
  const text = `waitlist\0${Buffer.from(encoded, 'base64url').toString()}`;
  const expected = Buffer.from(createHmac('sha256', key).update(text).digest('base64url'));
  const actual = Buffer.from(signature);
  if (expected.length !== actual.length || !timingSafeEqual(expected, actual)) return undefined;
  return { text: encoded, old: true };
}

/** 256 random bits, safe in addresses and cookies. It is a bearer token: only its `hashToken` is stored. */
export function createToken(): string {
  return randomBytes(32).toString('base64url');
}

/** A token cannot be guessed, so a fast hash is enough to make a stolen table useless. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}
