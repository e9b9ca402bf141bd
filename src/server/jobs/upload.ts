import type { FastifyRequest } from 'fastify';
import { JOB_LIMITS, type jobFormSchema, pageRangeSchema } from '#contract/job';
import { BUILT_IN_LANGUAGE, languagesFieldSchema } from '#contract/languages';
import { badField, emptyFile, noFile } from '../recognition/errors.ts';
import type { Admission } from '../recognition/intake.ts';
import { nameOf, type Pace, readFile, readMultipart } from '../recognition/upload.ts';
import type { JobFile } from './contents.ts';
import { tooLarge, tooManyFiles } from './errors.ts';

export interface JobUpload {
  files: JobFile[];
  filter: boolean;
  /** Codes, the main one first. */
  languages: readonly string[];
  /** Which pages of each document; null for all. */
  range: string | null;
  webhook: string | null;
}

const FIELDS = {
  file: 'file',
  filtering: 'useFiltering',
  languages: 'languages',
  pages: 'pages',
  webhook: 'webhook',
} as const satisfies Record<string, keyof typeof jobFormSchema.shape>;

/**
 * Reads the form of a job: files and the fields that are known, in any order.
 * @throws {AppError}
 */
export async function readJobUpload(
  request: FastifyRequest,
  { pace, admission }: { pace: Pace; admission: Admission },
): Promise<JobUpload> {
  const files: JobFile[] = [];
  const upload: JobUpload = {
    files,
    filter: true,
    languages: [BUILT_IN_LANGUAGE],
    range: null,
    webhook: null,
  };
  let left: number = JOB_LIMITS.bytes;
  await readMultipart(
    request,
    { pace, admission, most: JOB_LIMITS, tooLarge, tooMany: tooManyFiles },
    async (part) => {
      if (part.type === 'file') {
        if (part.fieldname !== FIELDS.file) {
          part.file.resume();
          return;
        }
        const bytes = await readFile(part, admission, { most: left, tooLarge });
        if (bytes.length === 0) throw emptyFile();
        left -= bytes.length;
        files.push({ name: nameOf(part), bytes });
      } else if (part.fieldname === FIELDS.filtering) {
        if (part.value !== 'true' && part.value !== 'false') throw badField(FIELDS.filtering);
        upload.filter = part.value === 'true';
      } else if (part.fieldname === FIELDS.languages) {
        const codes = languagesFieldSchema.safeParse(part.value);
        if (!codes.success) throw badField(FIELDS.languages);
        upload.languages = codes.data;
      } else if (part.fieldname === FIELDS.pages) {
        const range = pageRangeSchema.safeParse(part.value);
        if (!range.success) throw badField(FIELDS.pages);
        upload.range = range.data;
      } else if (part.fieldname === FIELDS.webhook) {
        if (typeof part.value !== 'string') throw badField(FIELDS.webhook);
        upload.webhook = part.value === '' ? null : part.value;
      }
    },
  );
  if (files.length === 0) throw noFile();
  return upload;
}
