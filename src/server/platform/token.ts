import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** 256 random bits, safe in addresses and cookies. Whoever holds it is believed: it is kept only as `hashToken`. */
export function createToken(): string {
  return randomBytes(32).toString('base64url');
}

/** A token has too many possibilities to be guessed, so a fast hash is enough to make a stolen table useless. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}

/** Text that this server can recognise again without keeping it. `purpose` keeps one use from standing in for another. */
export function sealText(key: string, purpose: string, text: string): string {
  return `${Buffer.from(text).toString('base64url')}.${signature(key, purpose, text)}`;
}

/** Undefined when the seal is not ours or was made for something else. */
export function openSeal(key: string, purpose: string, sealed: string): string | undefined {
  const [encoded = '', given = ''] = sealed.split('.');
  const text = Buffer.from(encoded, 'base64url').toString();
  const wanted = Buffer.from(signature(key, purpose, text));
  const offered = Buffer.from(given);
  return wanted.length === offered.length && timingSafeEqual(wanted, offered) ? text : undefined;
}

function signature(key: string, purpose: string, text: string): string {
  return createHmac('sha256', key).update(`${purpose}\0${text}`).digest('base64url');
}
