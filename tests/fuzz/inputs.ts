/** What a run sends: each input is the bytes of one whole request, so that it can be kept and sent again as it was. */
import { type Call, urlOf } from '#contract/call';
import { CALLS } from '#contract/calls';
import * as people from '#contract/calls/accounts';
import { cancelSubscription, claim, pay, paypalWebhook, previewClaim } from '#contract/calls/billing';
import { extractText, previewPicture } from '#contract/calls/recognition';
import { register } from '#contract/calls/registration';
import { changeText, saveText } from '#contract/calls/saved-texts';
import { joinWaitlist, leaveWaitlist } from '#contract/calls/waitlist';
import { FILES, PAGES } from '#contract/paths';
import { type Random, randomFrom } from '../../scripts/random.ts';
import { type MutatedPicture, mutate, type SeedPicture } from './mutations.ts';
import { requestBytes } from './raw-http.ts';

/** What an answer is judged as. */
export type Question = 'extraction' | 'preview' | 'call' | 'address';

export interface Input {
  number: number;
  question: Question;
  /** A picture's format, or `form`, `call`, `address`: what the summary counts by. */
  kind: string;
  /** One line for people. */
  story: string;
  request: Buffer;
  /** The picture in the request, to open it by hand. */
  picture?: MutatedPicture;
}

/** Shares of a run. Pictures are the point; what is around them was looked at by hand already. */
const SHARES = { extraction: 0.45, preview: 0.35, form: 0.08, call: 0.06 } as const;

/** Input `number` of a run: the same for the same seed and pictures, whatever came before it. */
export function inputOf(seed: number, number: number, pictures: readonly SeedPicture[]): Input {
  const random = randomFrom(Math.imul(seed, 0x9e3779b1) ^ Math.imul(number + 1, 0x85ebca6b));
  const { extraction, preview, form, call } = SHARES;
  const draw = random.next();
  if (draw < extraction) return { number, ...pictureInput('extraction', pictures, random) };
  if (draw < extraction + preview) return { number, ...pictureInput('preview', pictures, random) };
  if (draw < extraction + preview + form) return { number, ...formInput(pictures, random) };
  if (draw < extraction + preview + form + call) return { number, ...callInput(random) };
  return { number, ...addressInput(random) };
}

type Drawn = Omit<Input, 'number'>;

const BOUNDARY = 'fuzzed-form-5d41402a';
const UPLOADS = { extraction: extractText.path, preview: previewPicture.path } as const;

function pictureInput(
  question: 'extraction' | 'preview',
  pictures: readonly SeedPicture[],
  random: Random,
): Drawn {
  const formats = [...new Set(pictures.map(({ format }) => format))];
  const format = random.of(formats);
  const picture = mutate(random.of(pictures.filter((one) => one.format === format)), pictures, random);
  return {
    question,
    kind: format,
    story: `${question} of ${picture.name}: ${picture.steps.join(', ') || 'as it is'}`,
    request: uploadRequest(question, picture.bytes),
    picture,
  };
}

/** The request in which the page sends a picture. */
export function uploadRequest(question: 'extraction' | 'preview', picture: Buffer): Buffer {
  const body = formOf([{ name: 'file', filename: 'picture', content: picture }], BOUNDARY);
  return upload(question, body, `multipart/form-data; boundary=${BOUNDARY}`);
}

function upload(question: 'extraction' | 'preview', body: Buffer, type: string, extra = {}): Buffer {
  const headers = { 'Content-Type': type, ...extra };
  return requestBytes({ method: 'POST', target: UPLOADS[question], headers, body });
}

interface FormPart {
  name: string;
  filename?: string;
  content: Buffer;
}

function formOf(parts: readonly FormPart[], boundary: string): Buffer {
  const pieces = parts.flatMap(({ name, filename, content }) => {
    const file = filename === undefined ? '' : `; filename="${filename}"\r\nContent-Type: image/png`;
    const head = `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${file}\r\n\r\n`;
    return [Buffer.from(head, 'utf8'), content, Buffer.from('\r\n')];
  });
  return Buffer.concat([...pieces, Buffer.from(`--${boundary}--\r\n`)]);
}

const FIELD_NAMES = [
  'file',
  'useFiltering',
  'languages',
  'extractionId',
  '__proto__',
  'constructor',
  '',
  'ä',
];
const FIELD_VALUES = [
  'true',
  'false',
  'eng',
  'eng+deu',
  '../../etc',
  'eng+eng',
  'abcdefgh',
  '',
  '\0',
  '🜁'.repeat(40),
];
const TYPES = [
  `multipart/form-data; boundary=${BOUNDARY}`,
  `multipart/form-data; boundary="${BOUNDARY}"`,
  'multipart/form-data',
  'multipart/form-data; boundary=',
  `multipart/form-data; boundary=${'x'.repeat(200)}`,
  `multipart/mixed; boundary=${BOUNDARY}`,
  `MULTIPART/FORM-DATA; BOUNDARY=${BOUNDARY}`,
  `multipart/form-data; boundary=${BOUNDARY}; charset=utf-16`,
  'application/json',
  'image/png',
];

/** A form around a sound picture that is itself out of order. */
function formInput(pictures: readonly SeedPicture[], random: Random): Drawn {
  const question = random.of(['extraction', 'preview'] as const);
  const fields = Array.from({ length: random.whole(0, random.chance(0.1) ? 60 : 4) }, () => ({
    name: random.of(FIELD_NAMES),
    ...(random.chance(0.2) && { filename: random.of(['a.png', '"', '../../x', 'x'.repeat(3_000), '\r\n']) }),
    content: random.chance(0.9)
      ? Buffer.from(random.of(FIELD_VALUES))
      : Buffer.alloc(random.whole(0, 5_000), 'v'),
  }));
  const picture = { name: 'file', filename: 'a.png', content: random.of(pictures).bytes };
  const parts = random.chance(0.9) ? [...fields, picture] : fields;
  let body = formOf(random.chance(0.5) ? parts : parts.toReversed(), BOUNDARY);
  const steps: string[] = [];
  const breakUp = random.next();
  if (breakUp < 0.2) {
    body = Buffer.from(body.subarray(0, random.whole(1, body.length)));
    steps.push('cut');
  } else if (breakUp < 0.5) {
    const heads = Math.min(body.length, 600);
    for (let i = random.whole(1, 10); i > 0; i--) body[random.whole(0, heads - 1)] = random.whole(0, 255);
    steps.push('bytes changed');
  }
  const type = random.chance(0.7) ? TYPES[0]! : random.of(TYPES);
  const extra: Record<string, string> = random.chance(0.3)
    ? { 'Idempotency-Key': random.of(['a', 'x'.repeat(201), 'ключ', '']) }
    : {};
  return {
    question,
    kind: 'form',
    story: `${question}, form of ${parts.length} parts as ${type.slice(0, 60)}${steps.map((step) => `, ${step}`)}`,
    request: upload(question, body, type, extra),
  };
}

const BODY_CALLS: readonly Call[] = [
  register,
  people.login,
  people.forgotPassword,
  people.resetPassword,
  people.verifyEmail,
  people.changePassword,
  people.changeEmail,
  people.deleteAccount,
  pay,
  paypalWebhook,
  claim,
  previewClaim,
  cancelSubscription,
  saveText,
  changeText,
  joinWaitlist,
  leaveWaitlist,
  people.logout,
];
const KNOWN_FIELDS = [
  'username',
  'email',
  'password',
  'token',
  'amount',
  'currency',
  'name',
  'text',
  'newPassword',
];

function callInput(random: Random): Drawn {
  const call = random.of(BODY_CALLS);
  const { method } = call;
  const path = urlOf(call, { id: 'abc' });
  const json = JSON.stringify(anyJson(random, 3));
  const body = random.chance(0.15) ? json.slice(0, random.whole(0, json.length)) : json;
  const type = random.chance(0.9)
    ? 'application/json'
    : random.of(['text/plain', 'application/xml', 'json', '']);
  return {
    question: 'call',
    kind: 'call',
    story: `${method} ${path} ${body.slice(0, 80)}`,
    request: requestBytes({
      method,
      target: path,
      headers: { 'Content-Type': type },
      body: Buffer.from(body),
    }),
  };
}

function anyJson(random: Random, depth: number): unknown {
  const text = () =>
    random.of([
      '',
      ' ',
      'a@b.example',
      'anna',
      '\0',
      '\u202e',
      'x'.repeat(random.whole(1, 3_000)),
      '🜁',
      '__proto__',
      '4.99',
    ]);
  const leaf = () => random.of([text(), text(), null, true, 0, -1, 1e308, 2 ** 53]);
  if (depth === 0 || random.chance(0.1)) return leaf();
  if (random.chance(0.15))
    return Array.from({ length: random.whole(0, 5) }, () => anyJson(random, depth - 1));
  const names = [...KNOWN_FIELDS, '__proto__', 'constructor', text()];
  return Object.fromEntries(
    Array.from({ length: random.whole(0, 8) }, () => [
      random.of(names),
      random.chance(0.7) ? leaf() : anyJson(random, depth - 1),
    ]),
  );
}

const ADDRESSES: readonly string[] = [
  ...Object.values(PAGES),
  ...Object.values(FILES),
  ...Object.values(CALLS).flatMap((group) => Object.values(group).map(({ path }) => path)),
  '/healthz',
];
const METHODS = [
  'GET',
  'GET',
  'GET',
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'DELETE',
  'OPTIONS',
  'PATCH',
  'TRACE',
  'QUERY',
];
const ADDRESS_PIECES = [
  '%2e',
  '%2f',
  '%00',
  '%ff',
  '%',
  '..',
  '/',
  '//',
  '\\',
  ';',
  '?',
  '#',
  '%c0%af',
  '@',
  ':',
  '*',
  '&a=b',
];

function addressInput(random: Random): Drawn {
  let target: string = random.of(ADDRESSES);
  const changes: Record<string, () => string> = {
    'percent-encoded': () =>
      target.replace(/[a-z/]/g, (letter) =>
        random.chance(0.3) ? `%${letter.charCodeAt(0).toString(16)}` : letter,
      ),
    'something put in': () => {
      const at = random.whole(1, target.length);
      const piece = random.of(ADDRESS_PIECES).repeat(random.chance(0.2) ? random.whole(2, 4_000) : 1);
      return target.slice(0, at) + piece + target.slice(at);
    },
    long: () =>
      `${target}${random.of(['/', '?', '#'])}${random.of(['a', '/', '%41', 'a/', '&x'])}`.repeat(1) +
      'a'.repeat(random.whole(1, 15_000)),
    'odd query': () =>
      `${target}?${random.of(['payment', 'auth', 'email', 'search', 'before'])}=${random.of(['%', '%ff', '<b>', "'", '[]', '%F0%9F%9C%81'])}`,
    'another case': () =>
      [...target].map((letter) => (random.chance(0.5) ? letter.toUpperCase() : letter)).join(''),
    'absolute form': () => `http://${random.of(['localhost', 'evil.example', 'x:99999', ''])}${target}`,
    'bytes beyond ASCII': () => `${target}/${random.of(['ä', '\u0001', '\u007f', 'ÿÿ', ' '])}`,
  };
  const steps: string[] = [];
  for (let i = random.whole(0, 2); i > 0; i--) {
    const step = random.of(Object.keys(changes));
    target = changes[step]!();
    steps.push(step);
  }
  const method = random.of(METHODS);
  const headers: Record<string, string> = random.chance(0.3)
    ? random.of<Record<string, string>>([
        { Cookie: 'visitor=%; session=%ff; a' },
        { Cookie: `visitor=${'x'.repeat(3_000)}` },
        { 'Accept-Encoding': 'br;q=0, gzip;q=abc, *' },
        { Accept: '*/*;q=nan' },
        { Origin: 'null' },
        { 'X-Forwarded-For': '1.2.3.4:5, ::ffff:1.2.3.4, []' },
        { Range: 'bytes=0-0,-1,5-2' },
        { 'If-None-Match': '"'.repeat(500) },
        { 'If-Modified-Since': 'yesterday' },
        { 'Content-Type': 'application/json', 'Content-Length': '0' },
      ])
    : {};
  return {
    question: 'address',
    kind: 'address',
    story: `${method} ${target.slice(0, 80)}${steps.map((step) => `, ${step}`).join('')}`,
    request: requestBytes({ method, target, headers }),
  };
}
