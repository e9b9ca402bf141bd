import { z } from 'zod';
import { answerFormatSchema } from './answer-format.ts';
import { languagesFieldSchema } from './languages.ts';
import { READINGS } from './product.ts';
import { extractionIdSchema } from './progress.ts';

/** Pixels of the picture as a person sees it (EXIF orientation applied), origin at the top left. */
export const boxSchema = z.object({ x: z.number(), y: z.number(), width: z.number(), height: z.number() });
export type Box = z.infer<typeof boxSchema>;

/** 0 to 100, whole: the chance that what was read is right. */
const percentSchema = z.int().min(0).max(100);

const readingsSchema = z
  .array(z.string().min(1).max(READINGS.letters))
  .min(1)
  .max(READINGS.most)
  .describe(
    'Of a doubtful word: what else it could say, the likelier ones first. Absent where nothing else was considered.',
  );

export const wordSchema = z.object({
  text: z.string(),
  confidence: percentSchema,
  box: boxSchema,
  readings: readingsSchema.optional(),
});

export const lineSchema = z.object({
  text: z.string(),
  confidence: percentSchema,
  box: boxSchema,
  /** Lines of one paragraph share its number; numbers rise in reading order. */
  paragraph: z.int().nonnegative(),
  words: z.array(wordSchema),
});

/**
 * A run of text that Smart Text Filtering left out, and its place: `line` is the index in `lines` before which a whole
 * line was (`word` is null), or the index of the line it was taken from, before its `word`-th remaining word.
 */
export const hiddenTextSchema = z.object({
  text: z.string(),
  confidence: percentSchema,
  box: boxSchema,
  reason: z.enum(['interface', 'icon', 'noise']),
  at: z.object({ line: z.int().nonnegative(), word: z.int().nonnegative().nullable() }),
});

const wordRunSchema = z
  .object({ line: z.int().nonnegative(), from: z.int().nonnegative(), to: z.int().positive() })
  .describe('Words of the line at this index of `lines`, from the one at `from` up to the one before `to`.');
const lineRunSchema = z
  .object({ from: z.int().nonnegative(), to: z.int().positive() })
  .describe('Lines, from the one at this index of `lines` up to the one before `to`.');
const levelSchema = z.int().min(1).max(6).describe('1 is the topmost.');

export const layoutTableSchema = z.object({
  box: boxSchema,
  confidence: percentSchema.describe('The share of its cells that are expected to be right.'),
  rows: z.int().positive(),
  columns: z
    .int()
    .positive()
    .describe('Counted in the direction of reading: from the right where the text runs from right to left.'),
  headerRows: z.int().nonnegative().describe('Rows at its top that say what the columns hold.'),
  cells: z
    .array(
      z.object({
        row: z.int().nonnegative(),
        column: z.int().nonnegative(),
        rowSpan: z.int().positive(),
        columnSpan: z.int().positive(),
        box: boxSchema.describe('Around the cell, not the words in it.'),
        confidence: percentSchema.describe(
          'Of its words and of their place; of an empty one, that it is empty.',
        ),
        words: z.array(wordRunSchema).describe('In the order of reading; none in a cell that is empty.'),
      }),
    )
    .describe('Row by row, empty ones too; together they fill the table, and none lies on another.'),
});
export type LayoutTable = z.infer<typeof layoutTableSchema>;

/** The layout of the text on the page. */
const layoutSchema = z.object({
  tables: z.array(layoutTableSchema),
  headings: z.array(
    z.object({ level: levelSchema, lines: lineRunSchema, box: boxSchema, confidence: percentSchema }),
  ),
  listItems: z.array(
    z.object({
      level: z.int().positive().describe('1 in the outermost list.'),
      mark: z.string().describe('What opens it, as it was read: the first word of its first line.'),
      lines: lineRunSchema,
      box: boxSchema,
      confidence: percentSchema,
    }),
  ),
  fields: z
    .array(
      z.object({
        label: z.array(wordRunSchema),
        value: z.array(wordRunSchema).describe('None where nothing was filled in.'),
        box: boxSchema,
        confidence: percentSchema,
      }),
    )
    .describe('What a form asks for, and what stands there.'),
  indents: z
    .array(z.object({ line: z.int().nonnegative(), steps: z.int().positive() }))
    .describe('Lines that begin further in than those around them; the others are left out.'),
});
export type Layout = z.infer<typeof layoutSchema>;

export const noticeSchema = z.object({
  code: z.enum([
    'no_text',
    'turned',
    'straightened',
    'scaled_down',
    'incomplete',
    'too_small',
    'blurred',
    'first_frame',
    'other_language',
    'unread',
  ]),
  /** One line, ready to show. */
  message: z.string(),
});
export type Notice = z.infer<typeof noticeSchema>;

/**
 * The 200 of `POST /api/extract-text`. A picture without text is a success: empty text, no words, confidence 0. The page also
 * takes an answer of the first three fields alone.
 */
export const extractionSchema = z.object({
  extractedText: z.string(),
  wordCount: z.int().nonnegative(),
  confidence: percentSchema,
  lines: z.array(lineSchema).prefault([]),
  hidden: z.array(hiddenTextSchema).prefault([]),
  unread: z
    .array(
      z.object({
        box: boxSchema,
        why: z
          .enum(['other_script', 'no_reading'])
          .describe('Its letters are none that the text was read in, or nothing came of it.'),
        script: z.string().optional().describe('The English name of its script, such as Chinese.'),
      }),
    )
    .optional()
    .describe('Places with text that was not read. Absent in answers that were kept before it was told.'),
  layout: layoutSchema
    .optional()
    .describe('How the text lies on the page; empty lists where it lies as running text does.'),
  /** `rotation`: degrees clockwise by which the picture was turned to read it. */
  image: z
    .object({ width: z.int(), height: z.int(), rotation: z.number() })
    .prefault({ width: 0, height: 0, rotation: 0 }),
  language: z.string().prefault('eng'),
  /** The language that the text seems to be in, if it is none of those it was read in; with its English name. */
  likelyLanguage: z.object({ code: z.string(), name: z.string() }).optional(),
  durationMs: z.number().nonnegative().prefault(0),
  notices: z.array(noticeSchema).prefault([]),
});
export type Extraction = z.infer<typeof extractionSchema>;

const PAGE =
  'Which page of a PDF or a TIFF is read, from 1. A PDF is refused without it: jobs read all pages.';

const pictureSchema = z.file().describe('The picture; judged by its bytes, not by its name.');

/** Options that a form and a query write as text. */
const textOptions = {
  extractionId: extractionIdSchema
    .optional()
    .describe('Under which the work can be followed while it goes on; new for each upload.'),
  useFiltering: z
    .enum(['true', 'false'])
    .optional()
    .describe('Whether what belongs to an interface, and noise, is left out; true if not said.'),
  languages: languagesFieldSchema
    .optional()
    .describe('Codes joined by +, the main one first; English if not said.'),
  page: z
    .string()
    .regex(/^[1-9]\d{0,3}$/)
    .optional()
    .describe(PAGE),
  format: answerFormatSchema
    .optional()
    .describe('What the answer is written as; what Accept says, or json, if not said.'),
};

/** The form of `POST /api/extract-text`. Fields go before the file: they are read as they arrive. */
export const extractionFormSchema = z.object({ ...textOptions, file: pictureSchema });

/** The query of `POST /api/extract-text`, for bodies that hold the picture alone. */
export const extractionQuerySchema = z.object(textOptions);

/** The JSON of `POST /api/extract-text`. */
export const extractionJsonSchema = z.object({
  extractionId: textOptions.extractionId,
  useFiltering: z
    .boolean()
    .optional()
    .describe('Whether what belongs to an interface, and noise, is left out; true if not said.'),
  languages: textOptions.languages,
  page: z.int().min(1).max(9999).optional().describe(PAGE),
  format: textOptions.format,
  name: z.string().max(1000).optional().describe('Of the file, for files that name it.'),
  image: z
    .string()
    .min(1)
    .meta({ contentEncoding: 'base64' })
    .describe('The picture, or a PDF, in Base64; a data: address of it will do.'),
});

/** A PNG that says Hello, in Base64. */
export const EXAMPLE_PICTURE =
  'iVBORw0KGgoAAAANSUhEUgAAALQAAAA4AQMAAABucUDSAAAABlBMVEX///8AAABVwtN+AAAACXBIWXMAAAsTAAALEwEAmpwYAAAAlUlEQVQ4y+3TIQ7DMAwFUEcGgblA1V0joNJ2JMOwVtrFchQfYXCgWmbD5Wdjkwr6gcEDlvwlE535S1R6KSRH87Cbhyd4fJnb6D21TW2Az2w+x+3D1/aYQlVZGDy7Z65jD7Xfn0lVCvq1jX11F/TiPZTR/h+evzmDL+79vd4P3VSmCJ7udu8lYf/NPGH/7P3zfn7XYfIG0i1iTFp9bC0AAAAASUVORK5CYII=';

/** The picture, or a PDF, as the whole body. */
export const extractionBytesSchema = z.file();

/** The form of `POST /api/preview`. */
export const previewFormSchema = z.object({ file: pictureSchema });
