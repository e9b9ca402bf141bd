import { randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { API_KEY_PREFIX } from '#contract/api-key-rules';

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** 190 bits. */
const RANDOM_LENGTH = 32;
/** Base 62 digits of a 32-bit checksum. */
const CHECK_LENGTH = 6;
const LETTERS_AND_DIGITS = /^[\dA-Za-z]+$/;

/** Number of last characters that are stored and shown; they belong to the checksum. */
export const ENDING_LENGTH = 4;

/**
 * A new key: a recognizable prefix, random letters and digits, and a checksum of both, by which secret scanners recognize
 * a key without a request.
 */
export function createApiKey(): string {
  const random = Array.from({ length: RANDOM_LENGTH }, () => DIGITS[randomInt(DIGITS.length)]).join('');
  return `${API_KEY_PREFIX}${random}${checksum(random)}`;
}

/** Whether the text has the form of a key. Other texts are rejected without a query. */
export function looksLikeApiKey(text: string): boolean {
  if (!text.startsWith(API_KEY_PREFIX)) return false;
  const rest = text.slice(API_KEY_PREFIX.length);
  if (rest.length !== RANDOM_LENGTH + CHECK_LENGTH || !LETTERS_AND_DIGITS.test(rest)) return false;
  return rest.slice(RANDOM_LENGTH) === checksum(rest.slice(0, RANDOM_LENGTH));
}

function checksum(random: string): string {
  let rest = crc32(API_KEY_PREFIX + random);
  let digits = '';
  for (let place = 0; place < CHECK_LENGTH; place++) {
    digits = DIGITS[rest % DIGITS.length] + digits;
    rest = Math.floor(rest / DIGITS.length);
  }
  return digits;
}
