import { ANSWER_FORMATS, type AnswerFormatId, needsTable } from '#contract/answer-format';
import type { Extraction } from '#contract/extraction';
import { FORMATS } from '#contract/formats';
import { readJpeg } from '#formats/jpeg';
import { readPng, readTransparentPng } from '#formats/png';
import { type PositionedText, positionedTextOf } from '#formats/positioned-text';
import { findTables } from '#formats/tables';
import type { WriterInput } from '#formats/writer-input';
import { loadWriter, needsTables } from '#formats/writers';
import type { Subject } from './quota/allowance.ts';
import { formatNotAcceptable, formatNotInPlan, noTable, recognitionFailed } from './recognition.errors.ts';

const IDS = Object.keys(ANSWER_FORMATS).filter((id): id is AnswerFormatId => id in ANSWER_FORMATS);

interface MediaRange {
  /** `*`: any type. */
  type: string;
  subtype: string;
  /** 0 to 1. */
  weight: number;
}

/**
 * The best offered match of an `Accept` header by RFC 9110; JSON for a client without a preference.
 * @throws {AppError} 406 without a match
 */
export function formatFor(accept: string | undefined): AnswerFormatId {
  const ranges = (accept ?? '*/*').split(',').flatMap(parseMediaRange);
  if (ranges.length === 0) return 'json';
  const weighted = IDS.map((id) => ({ id, weight: weightOf(id, ranges) }));
  const best = weighted.reduce((one, other) => (other.weight > one.weight ? other : one));
  if (best.weight === 0) throw formatNotAcceptable();
  return best.id;
}

function parseMediaRange(text: string): MediaRange[] {
  const [range = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase());
  const [type, subtype] = range.split('/');
  if (!type || !subtype) return [];
  const weight = parameters.find((one) => one.startsWith('q='));
  const quality = weight === undefined ? 1 : Number(weight.slice(2));
  return [{ type, subtype, weight: quality >= 0 && quality <= 1 ? quality : 0 }];
}

/** The most specific matching range gives the quality of a type. */
function weightOf(id: AnswerFormatId, ranges: readonly MediaRange[]): number {
  const [type = '', subtype = ''] = ANSWER_FORMATS[id].type.split('/');
  const weightFor = (wanted: string, wantedSub: string) =>
    ranges.find((range) => range.type === wanted && range.subtype === wantedSub)?.weight;
  return weightFor(type, subtype) ?? weightFor(type, '*') ?? weightFor('*', '*') ?? 0;
}

/** @throws {AppError} 403 for a premium format if the subject has no premium */
export function refuseFormatOutOfPlan(id: AnswerFormatId, subject: Subject): void {
  if (ANSWER_FORMATS[id].premium && subject.kind !== 'premium-user') throw formatNotInPlan();
}

/** Some programs write a few bytes before the PDF header, and readers accept it. */
export const isPdf = (file: Uint8Array): boolean =>
  new TextDecoder('latin1').decode(file.subarray(0, 1024)).includes('%PDF-');

type PagePicture = NonNullable<WriterInput['picture']>;

/** The image if a PDF can embed it unchanged, as a copy; null if it has to be rendered. */
export const pictureForPdf = (file: Uint8Array): PagePicture | null => readJpeg(file) ?? readPng(file);

/** A rendered image for a PDF. @throws {AppError} if it is not a PNG */
export function renderedPictureForPdf(preview: Uint8Array): PagePicture {
  const picture = readPng(preview) ?? readTransparentPng(preview);
  if (!picture) throw recognitionFailed(new Error('a rendered picture cannot be embedded in a PDF'));
  return picture;
}

export interface WrittenAnswer {
  mediaType: string;
  /** Content-Disposition with the file name that browsers save. */
  extension: string;
  content: string | Uint8Array;
}

/** A check that throws a 422 if a table format was requested and no table found; undefined for other formats. */
export const tableCheckFor = (id: AnswerFormatId): ((extraction: Extraction) => void) | undefined =>
  needsTable(id) ? (extraction) => void tablesFor(id, positionedTextOf({ extraction, name: '' })) : undefined;

function tablesFor(id: AnswerFormatId, positionedText: PositionedText): WriterInput['tables'] {
  if (id === 'text' || !needsTables(id)) return [];
  const tables = findTables(positionedText);
  if (needsTable(id) && tables.length === 0) throw noTable();
  return tables;
}

/** @param picture only for a PDF */
export async function writeAnswer(
  id: Exclude<AnswerFormatId, 'json'>,
  extraction: Extraction,
  { name, picture }: { name: string; picture: PagePicture | null },
): Promise<WrittenAnswer> {
  if (id === 'text') {
    return { mediaType: 'text/plain;charset=utf-8', extension: 'txt', content: extraction.extractedText };
  }
  const { mediaType, extension } = FORMATS[id];
  const write = await loadWriter(id);
  const positionedText = positionedTextOf({ extraction, name });
  const tables = tablesFor(id, positionedText);
  const content = await write([{ positionedText, tables, picture }]);
  return { mediaType, extension, content };
}
