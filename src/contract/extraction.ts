import { z } from 'zod';
import { answerFormatSchema } from './answer-format.ts';
import { languagesFieldSchema } from './languages.ts';
import { ALTERNATIVES } from './product.ts';

/** Pixels of the picture after its EXIF orientation, origin at the top left. */
export const boxSchema = z.object({ x: z.number(), y: z.number(), width: z.number(), height: z.number() });
export type Box = z.infer<typeof boxSchema>;

const polygonSchema = z
  .array(z.object({ x: z.number(), y: z.number() }))
  .length(4)
  .optional()
  .meta({
    description:
      'The four corners of a word that is not horizontal, on a rotated, skewed or curved page: clockwise from the top left in reading direction. Absent for a horizontal word, whose corners are those of its box.',
    examples: [
      [
        { x: 202, y: 170 },
        { x: 282, y: 178 },
        { x: 278, y: 218 },
        { x: 199, y: 210 },
      ],
    ],
  });

/** 0 to 100: the calibrated probability that the result is right. */
const percentSchema = z.int().min(0).max(100);

const readingsSchema = z
  .array(z.string().min(1).max(ALTERNATIVES.maxLength))
  .min(1)
  .max(ALTERNATIVES.max)
  .describe('Of a doubtful word: other readings, the likeliest first. Absent if no other was considered.');

export const rubySchema = z
  .object({
    text: z.string().min(1),
    confidence: percentSchema,
    from: z.int().nonnegative(),
    to: z.int().positive(),
  })
  .describe(
    'The pronunciation of a part of the word, `[from, to)` in UTF-16 units, which is printed small beside it. The text has it in brackets after that part: "猫（ねこ）".',
  );
export type Ruby = z.infer<typeof rubySchema>;

export const wordSchema = z.object({
  text: z.string(),
  confidence: percentSchema,
  box: boxSchema,
  polygon: polygonSchema,
  readings: readingsSchema.optional(),
  ruby: z.array(rubySchema).min(1).optional().describe('In the order of the text. Absent without any.'),
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
 * Text that Smart Text Filtering left out, and its position. With `word` null it was a whole line before the line with the
 * index `line`; otherwise it was in that line before its word with the index `word`.
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
  .describe('Words of the line with this index in `lines`, `[from, to)`.');
const lineRunSchema = z
  .object({ from: z.int().nonnegative(), to: z.int().positive() })
  .describe('Lines by their index in `lines`, `[from, to)`.');
const levelSchema = z.int().min(1).max(6).describe('1 is the highest.');

export const layoutTableSchema = z.object({
  box: boxSchema,
  confidence: percentSchema.describe('The expected percentage of correct cells.'),
  rows: z.int().positive(),
  columns: z
    .int()
    .positive()
    .describe('In reading direction: from the right for text that runs from right to left.'),
  headerRows: z.int().nonnegative().describe('Number of header rows at the top.'),
  cells: z
    .array(
      z.object({
        row: z.int().nonnegative(),
        column: z.int().nonnegative(),
        rowSpan: z.int().positive(),
        columnSpan: z.int().positive(),
        box: boxSchema.describe('Of the cell, not of its words.'),
        confidence: percentSchema.describe(
          'Of its words and their place; of an empty cell, that it is empty.',
        ),
        words: z.array(wordRunSchema).describe('In reading order; none in an empty cell.'),
      }),
    )
    .describe('Row by row, including empty cells. They fill the table without overlap.'),
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
      level: z.int().positive().describe('1 for the outermost list.'),
      mark: z.string().describe('The bullet or number, as read: the first word of the first line.'),
      lines: lineRunSchema,
      box: boxSchema,
      confidence: percentSchema,
    }),
  ),
  fields: z
    .array(
      z.object({
        label: z.array(wordRunSchema),
        value: z.array(wordRunSchema).describe('Empty if nothing was filled in.'),
        box: boxSchema,
        confidence: percentSchema,
      }),
    )
    .describe('The labels of a form and their values.'),
  indents: z
    .array(z.object({ line: z.int().nonnegative(), steps: z.int().positive() }))
    .describe('Indented lines only.'),
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
 * accepts a response with only the first three fields.
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
          .describe(
            'other_script: no requested language has its script. no_reading: no recognizer found text.',
          ),
        script: z.string().optional().describe('English name of the script, such as Chinese.'),
      }),
    )
    .optional()
    .describe('Regions with text that was not read. Absent in older stored results.'),
  layout: layoutSchema.optional().describe('The layout of the page; empty lists for running text.'),
  /** `rotation`: degrees clockwise by which recognition rotated the picture. */
  image: z
    .object({ width: z.int(), height: z.int(), rotation: z.number() })
    .prefault({ width: 0, height: 0, rotation: 0 }),
  language: z.string().prefault('eng'),
  /** The detected language of the text with its English name, if it is not one of the requested languages. */
  likelyLanguage: z.object({ code: z.string(), name: z.string() }).optional(),
  durationMs: z.number().nonnegative().prefault(0),
  notices: z.array(noticeSchema).prefault([]),
});
export type Extraction = z.infer<typeof extractionSchema>;

/** Created by the client, new for each upload; for example a UUID. */
export const extractionIdSchema = z.string().regex(/^[\w-]{8,64}$/);

/**
 * One event of `GET /api/extractions/{id}/events`: a server-sent event without a name, with this object as JSON.
 * The stream may be opened before or after the upload with the same id. `done` is its last event, also after a failure; then
 * the page closes the stream.
 */
export const progressSchema = z.discriminatedUnion('stage', [
  z.object({ stage: z.literal('queued') }),
  /** Download of a language (English name): received and total bytes. */
  z.object({ stage: z.literal('fetching-language'), language: z.string(), received: z.int(), of: z.int() }),
  z.object({ stage: z.literal('decoding') }),
  z.object({ stage: z.literal('finding-lines') }),
  /** Line `line` (from 1) of `of` is being read. */
  z.object({ stage: z.literal('reading'), line: z.int(), of: z.int() }),
  z.object({ stage: z.literal('ordering') }),
  z.object({ stage: z.literal('done') }),
]);
export type Progress = z.infer<typeof progressSchema>;

const PAGE =
  'Which page of a PDF or a TIFF is read, from 1. A PDF is refused without it: jobs read all pages.';

const pictureSchema = z
  .file()
  .describe('The image. Its format is detected from the bytes, not from the name.');

/** Options in a form or a query, where all values are text. */
const textOptions = {
  extractionId: extractionIdSchema
    .optional()
    .describe('Identifies the extraction for progress events; new for each upload.'),
  useFiltering: z
    .enum(['true', 'false'])
    .optional()
    .describe('Whether to leave out noise and parts of user interfaces; true by default.'),
  languages: languagesFieldSchema
    .optional()
    .describe('Codes joined by +, the main one first; English by default.'),
  page: z
    .string()
    .regex(/^[1-9]\d{0,3}$/)
    .optional()
    .describe(PAGE),
  format: answerFormatSchema.optional().describe('Format of the answer; by default that of Accept, or json.'),
};

/** The form of `POST /api/extract-text`. Fields must come before the file, because the form is read as a stream. */
export const extractionFormSchema = z.object({ ...textOptions, file: pictureSchema });

/** The query of `POST /api/extract-text`, for a body that is only the picture. */
export const extractionQuerySchema = z.object(textOptions);

/** The JSON of `POST /api/extract-text`. */
export const extractionJsonSchema = z.object({
  extractionId: textOptions.extractionId,
  useFiltering: z
    .boolean()
    .optional()
    .describe('Whether to leave out noise and parts of user interfaces; true by default.'),
  languages: textOptions.languages,
  page: z.int().min(1).max(9999).optional().describe(PAGE),
  format: textOptions.format,
  name: z.string().max(1000).optional().describe('File name, for formats that contain it.'),
  image: z
    .string()
    .min(1)
    .meta({ contentEncoding: 'base64' })
    .describe('An image or a PDF in Base64, or as a data: URL.'),
});

/** A PNG with the text “Hello”, in Base64. */
export const EXAMPLE_PICTURE =
  'iVBORw0KGgoAAAANSUhEUgAAALQAAAA4AQMAAABucUDSAAAABlBMVEX///8AAABVwtN+AAAACXBIWXMAAAsTAAALEwEAmpwYAAAAlUlEQVQ4y+3TIQ7DMAwFUEcGgblA1V0joNJ2JMOwVtrFchQfYXCgWmbD5Wdjkwr6gcEDlvwlE535S1R6KSRH87Cbhyd4fJnb6D21TW2Az2w+x+3D1/aYQlVZGDy7Z65jD7Xfn0lVCvq1jX11F/TiPZTR/h+evzmDL+79vd4P3VSmCJ7udu8lYf/NPGH/7P3zfn7XYfIG0i1iTFp9bC0AAAAASUVORK5CYII=';

/** The picture, or a PDF, as the whole body. */
export const extractionBytesSchema = z.file();

/** The form of `POST /api/preview`. */
export const previewFormSchema = z.object({ file: pictureSchema });

/**
 * `GET /api/usage`: the used quota. `resetsAt` is ISO 8601 in UTC. A server that returns only the two numbers counts by day.
 */
export const usageSchema = z.object({
  imageCount: z.int().nonnegative(),
  dailyLimit: z.int().nonnegative(),
  period: z.enum(['day', 'month']).prefault('day'),
  resetsAt: z.iso.datetime().prefault(() => nextDay(new Date()).toISOString()),
});

/** The next midnight in UTC. */
export const nextDay = (now: Date): Date =>
  new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + 1));
export type Usage = z.infer<typeof usageSchema>;

/** Headers of calls that accept files. */
export const IDEMPOTENCY_HEADERS = z.object({
  'idempotency-key': z
    .string()
    .regex(/^[\x21-\x7e]{1,200}$/)
    .optional()
    .describe('New for each image or job, and the same for a repeated call.'),
});
