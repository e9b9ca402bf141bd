import { expect, it } from 'vitest';
import { recognitionOf, recognitionOfTable } from '../../../tests/support/server-engine.ts';
import { answerOf, markedText, pageSchema } from './answers.ts';

const box = { x: 10, y: 20, width: 30, height: 40 };

it('markedText: marks each doubtful word after it, also in text without spaces', () => {
  const recognition = recognitionOf('rye rye bread');
  recognition.lines[0]!.words[1]!.confidence = 0.3;
  expect(markedText(recognition)).toBe('rye rye[?] bread');
  const words = ['東京', '都'].map((text, at) => ({ text, confidence: at === 0 ? 0.2 : 0.9, box }));
  const lines = [{ text: '東京都', confidence: 0.5, box, paragraph: 0, words }];
  expect(markedText({ ...recognition, lines })).toBe('東京[?]都');
});

it('markedText: separates paragraphs, and lists unread regions', () => {
  const [line] = recognitionOf('One').lines;
  const lines = [
    line!,
    { ...line!, text: 'Two', words: [{ text: 'Two', confidence: 1, box }], paragraph: 1 },
  ];
  const unread = [
    { box, why: 'other_script' as const, script: 'Chinese' },
    { box, why: 'no_reading' as const },
  ];
  expect(markedText({ ...recognitionOf('One'), lines, unread })).toBe(
    'One\n\nTwo\n[unread: Chinese script, at x 10, y 20, 30 × 40]\n[unread: not legible, at x 10, y 20, 30 × 40]',
  );
});

it('answerOf: has a table as Markdown and as rows, as the schema declares', async () => {
  const answer = await answerOf(
    recognitionOfTable([
      ['Bread', '2|3'],
      ['Jam', '1'],
    ]),
    2,
    5,
  );
  expect(pageSchema.parse(answer)).toMatchObject({
    page: 2,
    of: 5,
    tables: [
      {
        rows: [
          ['Bread', '2|3'],
          ['Jam', '1'],
        ],
        markdown: expect.stringContaining('| Jam   | 1    |'),
      },
    ],
  });
  expect(answer.tables[0]?.markdown).toContain('2\\|3');
});
