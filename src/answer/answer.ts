import type { Extraction, Layout, Notice, Progress } from '#contract/extraction';
import { ALTERNATIVES, DOUBTFUL_BELOW } from '#contract/product';
import { describeLanguage } from '../ocr/languages/languages.ts';
import type { Recognition, Stage, Word } from '../ocr/types.ts';

/** Converts the engine's result to the API's: probabilities become whole percentages, and words are counted. */
export function toExtraction(recognition: Recognition): Extraction {
  const { text, lines, hidden, layout, image, language, likelyLanguage, durationMs } = recognition;
  const hasText = text.trim() !== '';
  return {
    extractedText: text,
    wordCount: countWords(text, language),
    confidence: hasText ? percent(recognition.confidence) : 0,
    lines: lines.map((line) => ({
      ...line,
      confidence: percent(line.confidence),
      words: line.words.map(toWord),
    })),
    hidden: hidden.map((run) => ({ ...run, confidence: percent(run.confidence) })),
    unread: recognition.unread,
    layout: toLayout(layout),
    image,
    language,
    ...(likelyLanguage && {
      likelyLanguage: { code: likelyLanguage, name: describeLanguage(likelyLanguage).name },
    }),
    durationMs: Math.round(durationMs),
    notices: hasText ? recognition.notices : withNoTextNotice(recognition),
  };
}

function toLayout({ tables, headings, listItems, fields, indents }: Recognition['layout']): Layout {
  const inPercent = <One extends { confidence: number }>(one: One) => ({
    ...one,
    confidence: percent(one.confidence),
  });
  return {
    tables: tables.map((table) => ({ ...inPercent(table), cells: table.cells.map(inPercent) })),
    headings: headings.map(inPercent),
    listItems: listItems.map(inPercent),
    fields: fields.map(inPercent),
    indents,
  };
}

type ApiWord = Extraction['lines'][number]['words'][number];

/** Alternatives are returned for doubtful words only. */
function toWord({ text, confidence, box, polygon, readings = [], ruby }: Word): ApiWord {
  const word = {
    text,
    confidence: percent(confidence),
    box,
    ...(polygon && { polygon }),
    ...(ruby && { ruby: ruby.map((one) => ({ ...one, confidence: percent(one.confidence) })) }),
  };
  const alternatives = readings
    .filter((reading) => reading !== '' && reading !== text && reading.length <= ALTERNATIVES.maxLength)
    .slice(0, ALTERNATIVES.max);
  return word.confidence < DOUBTFUL_BELOW && alternatives.length > 0
    ? { ...word, readings: alternatives }
    : word;
}

/** Adds a `no_text` notice to a result without text. */
function withNoTextNotice({ notices, hidden }: Recognition): Notice[] {
  if (notices.some((notice) => notice.code === 'no_text')) return notices;
  const message =
    hidden.length > 0
      ? 'Smart Text Filtering hid everything that was found in this picture.'
      : 'No text was found in this picture.';
  return [{ code: 'no_text', message }, ...notices];
}

function percent(probability: number): number {
  return Math.round(Math.min(1, Math.max(0, probability)) * 100);
}

/** `language`: tesseract codes joined by `+`; the first decides how words are separated. */
export function countWords(text: string, language: string): number {
  const segmenter = new Intl.Segmenter(localeOf(language), { granularity: 'word' });
  let words = 0;
  for (const segment of segmenter.segment(text)) if (segment.isWordLike) words++;
  return words;
}

/** Converts tesseract's code (and a script after `_`) to a BCP 47 tag; English if it is unknown. */
function localeOf(language: string): string {
  const code = language.split(/[+_]/)[0] ?? '';
  try {
    return Intl.getCanonicalLocales(code === 'chi' ? 'zh' : code)[0] ?? 'en';
  } catch {
    return 'en';
  }
}

/** Converts a stage of the engine to a progress event. */
export function toProgress(stage: Stage): Progress {
  switch (stage.name) {
    case 'reading':
      return { stage: stage.name, line: stage.line, of: stage.of };
    case 'fetching-language':
      return {
        stage: stage.name,
        language: describeLanguage(stage.language).name,
        received: stage.received,
        of: stage.of,
      };
    default:
      return { stage: stage.name };
  }
}
