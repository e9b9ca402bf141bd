import type { FastifyRequest } from 'fastify';
import { JOB_LIMITS, type jobFormSchema, pageRangeSchema } from '#contract/job';
import { BUILT_IN_LANGUAGE, languagesFieldSchema } from '#contract/languages';
import { badField, emptyFile, noFile } from '../recognition/recognition.errors.ts';
import { type MinimumRate, readMultipart } from '../recognition/upload/upload.ts';
import type { UploadSlot } from '../recognition/upload/upload-limiter.ts';
import type { JobFile } from './job-contents.ts';
import { tooLarge, tooManyFiles } from './jobs.errors.ts';

export interface JobUpload {
  files: JobFile[];
  filter: boolean;
  languages: readonly string[];
  /** Page range of each document; null for all pages. */
  range: string | null;
  webhook: string | null;
}

const FIELDS = {
  filtering: 'useFiltering',
  languages: 'languages',
  pages: 'pages',
  webhook: 'webhook',
} as const satisfies Record<string, keyof typeof jobFormSchema.shape>;

/**
 * Reads the form of a job: files and fields, in any order. Unknown fields are ignored.
 * @throws {AppError}
 */
export async function readJobUpload(
  request: FastifyRequest,
  { minimumRate, slot }: { minimumRate: MinimumRate; slot: UploadSlot },
): Promise<JobUpload> {
  const files: JobFile[] = [];
  const upload: JobUpload = {
    files,
    filter: true,
    languages: [BUILT_IN_LANGUAGE],
    range: null,
    webhook: null,
  };
  await readMultipart(
    request,
    { minimumRate, slot, limits: JOB_LIMITS, tooLarge, tooMany: tooManyFiles },
    {
      onFile(file) {
        if (file.bytes.length === 0) throw emptyFile();
        files.push(file);
      },
      onField(field, value) {
        if (field === FIELDS.filtering) {
          if (value !== 'true' && value !== 'false') throw badField(FIELDS.filtering);
          upload.filter = value === 'true';
        } else if (field === FIELDS.languages) {
          const codes = languagesFieldSchema.safeParse(value);
          if (!codes.success) throw badField(FIELDS.languages);
          upload.languages = codes.data;
        } else if (field === FIELDS.pages) {
          const range = pageRangeSchema.safeParse(value);
          if (!range.success) throw badField(FIELDS.pages);
          upload.range = range.data;
        } else if (field === FIELDS.webhook) {
          if (typeof value !== 'string') throw badField(FIELDS.webhook);
          upload.webhook = value === '' ? null : value;
        }
      },
    },
  );
  if (files.length === 0) throw noFile();
  return upload;
}
