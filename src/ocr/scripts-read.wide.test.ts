import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { languageData } from '../../tests/support/language-files.ts';
import { createEngine } from './engine.ts';
import type { Recognition } from './types.ts';

const LANGUAGES = ['ara', 'hin', 'jpn', 'tha'] as const;
type Code = (typeof LANGUAGES)[number];

/** The text of the pictures in `tests/fixtures/languages`. */
const TRUTH: Record<Exclude<Code, 'jpn'>, string> = {
  ara: 'تفتح المكتبة في السوق القديم الساعة 9 وتغلق الساعة 18:30. ثمن البطاقة 12 يورو في السنة،\nولا يدفع الأطفال شيئا. يرجى إعادة الكتب بعد أربعة أسابيع.',
  hin: 'पुराने बाजार का पुस्तकालय सुबह 9 बजे खुलता है और शाम 6:30 बजे बंद होता है। एक कार्ड का दाम\nसाल में 12 यूरो है, बच्चे कुछ नहीं देते। कृपया किताबें चार सप्ताह में लौटा दें।',
  tha: 'ห้องสมุดที่ตลาดเก่าเปิดเวลา 9:00 น. และปิดเวลา 18:30 น. บัตรราคา 12 ยูโรต่อปี\nเด็กไม่ต้องจ่ายเงิน กรุณาคืนหนังสือภายในสี่สัปดาห์',
};

const folder = mkdtempSync(path.join(tmpdir(), 'glyphlift-scripts-'));
const engine = createEngine({
  maxPixels: 1_000_000,
  concurrency: 2,
  queueLimit: 10,
  premiumReserve: 0,
  timeoutMs: 30_000,
  languageDirs: [folder],
});

beforeAll(async () => {
  for (const code of LANGUAGES) writeFileSync(path.join(folder, `${code}.traineddata`), languageData(code));
  await engine.ready();
});
afterAll(async () => {
  await engine.close();
  rmSync(folder, { recursive: true });
});

function read(code: Code, languages: readonly string[] = [code], file: string = code): Promise<Recognition> {
  const picture = readFileSync(path.join(process.cwd(), 'tests/fixtures/languages', `${file}.png`));
  return engine.recognize(new Uint8Array(picture), { languages });
}

/** Words, with the spaces between them, that differ from the truth; both have the same lines. */
function wrongWords(text: string, truth: string): string[] {
  const right = new Set(truth.split(/\s/));
  return text.split(/\s/).filter((word) => !right.has(word));
}

it('recognize: Arabic is read in logical order, with figures in their own direction, in right-to-left lines', async () => {
  const { text, lines, hidden } = await read('ara');
  expect(wrongWords(text, TRUTH.ara).length).toBeLessThanOrEqual(1);
  expect(text.split('\n').map((line) => line.split(' ').length)).toEqual(
    TRUTH.ara.split('\n').map((line) => line.split(' ').length),
  );
  expect(hidden).toEqual([]);
  expect(text).not.toMatch(/[\u200e\u200f\u202a-\u202e]/);
  for (const { words, box } of lines) {
    for (const [index, word] of words.entries()) {
      expect(word.box.width).toBeGreaterThan(8);
      expect(word.box.x).toBeGreaterThanOrEqual(box.x);
      const before = words[index - 1];
      if (before) expect(word.box.x + word.box.width).toBeLessThanOrEqual(before.box.x + 4);
    }
  }
});

it('recognize: Hindi is read with its vowel signs, and none of its words is hidden as noise', async () => {
  const { text, hidden } = await read('hin');
  expect(wrongWords(text, TRUTH.hin).length).toBeLessThanOrEqual(1);
  expect(hidden).toEqual([]);
});

it.each([[['tha']], [['tha', 'eng']], [['eng', 'tha']]])(
  'recognize: Thai has the spaces of the picture and no others, read as %s',
  async (languages) => {
    const { text, hidden, language } = await read('tha', languages);
    const spaces = (line: string) => line.split(' ').length - 1;
    expect(text.split('\n').map(spaces)).toEqual(TRUTH.tha.split('\n').map(spaces));
    expect(text).toContain('เด็กไม่ต้องจ่ายเงิน กรุณาคืนหนังสือภายในสี่สัปดาห์');
    expect(hidden).toEqual([]);
    expect(language).toBe(languages.join('+'));
  },
);

it('recognize: names, addresses and passwords in Latin letters are read on a page in another script', async () => {
  const { text, lines } = await read('tha', ['tha'], 'tha-latin');
  expect(text.split('\n')).toEqual([
    'ห้องสมุดที่ตลาดเก่าเปิดเวลา 9:00 น.',
    'Wi-Fi password: Old Market Library 2026',
    'กรุณาคืนหนังสือภายในสี่สัปดาห์',
  ]);
  expect(lines[1]!.confidence).toBeGreaterThan(0.85);
});

it('recognize: Latin words in a right-to-left line stand in reading order', async () => {
  const { text } = await read('ara', ['ara'], 'ara-latin');
  expect(text.split('\n')).toEqual([
    'تفتح المكتبة Central Library الساعة 9',
    'البريد: reading@example.org',
    'يرجى إعادة الكتب بعد أربعة أسابيع',
  ]);
});

it('recognize: small kana above Japanese lines are the ruby of their words, and no lines', async () => {
  const { text, lines, hidden, unread } = await read('jpn', ['jpn'], 'jpn-ruby');
  expect(text.split(/\n+/)).toEqual([
    '吾輩（わがはい）は猫（ねこ）である。名前（なまえ）はまだ無（な）い。',
    '煙草（タバコ）と麦酒（ビール）を買（か）った。新幹線（しんかんせん）で東京（とうきょう）へ行（い）く。',
    '今日は天気がいい。',
  ]);
  const words = lines.flatMap((line) => line.words);
  const ruby = words.flatMap((word) =>
    (word.ruby ?? []).map(({ from, to, text }) => [word.text.slice(from, to), text]),
  );
  expect(ruby.slice(0, 3)).toEqual([
    ['吾輩', 'わがはい'],
    ['猫', 'ねこ'],
    ['名前', 'なまえ'],
  ]);
  expect(ruby).toHaveLength(10);
  expect([...hidden, ...unread]).toEqual([]);
});
