import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { reportPolicyViolation } from '#contract/calls/site';
import { PAGES } from '#contract/paths';
import type { Clock } from '../platform/clock.ts';
import { createError } from './errors.ts';
import type { RateLimiter } from './rate-limit.ts';
import { route } from './route.ts';

interface PolicyReportOptions {
  publicUrl: string;
  limiter: RateLimiter;
  clock: Clock;
}

/** Maximum of reports in one batch. */
const MAX_REPORTS = 20;
const LINES_PER_MINUTE = 10;
const MINUTE_MS = 60_000;

/** Allowlist of values that may be logged. */
const DIRECTIVES = new Set([
  'base-uri',
  'connect-src',
  'default-src',
  'font-src',
  'form-action',
  'frame-ancestors',
  'frame-src',
  'img-src',
  'manifest-src',
  'media-src',
  'object-src',
  'require-trusted-types-for',
  'script-src',
  'script-src-attr',
  'script-src-elem',
  'style-src',
  'style-src-attr',
  'style-src-elem',
  'trusted-types',
  'worker-src',
]);
const BLOCKED = new Set([
  'inline',
  'eval',
  'wasm-eval',
  'data',
  'blob',
  'trusted-types-policy',
  'trusted-types-sink',
]);
const OWN_SCRIPT = /^\/assets\/[\w.-]{1,100}$/;

const text = z.string().max(8192).optional();
const position = z.number().int().min(0).max(10_000_000).optional().catch(undefined);

/** `application/csp-report`: one report (CSP Level 2). */
const singleSchema = z
  .object({
    'csp-report': z.object({
      'document-uri': text,
      'effective-directive': text,
      'violated-directive': text,
      'blocked-uri': text,
      'source-file': text,
      'line-number': position,
      'column-number': position,
    }),
  })
  .transform(({ 'csp-report': report }) => [
    {
      document: report['document-uri'],
      directive: report['effective-directive'] ?? report['violated-directive']?.split(' ', 1)[0],
      blocked: report['blocked-uri'],
      script: report['source-file'],
      line: report['line-number'],
      column: report['column-number'],
    },
  ]);

/** `application/reports+json`: a batch of reports of every kind. */
const batchSchema = z
  .array(
    z.object({
      type: z.string().max(100),
      body: z
        .object({
          documentURL: text,
          effectiveDirective: text,
          blockedURL: text,
          sourceFile: text,
          lineNumber: position,
          columnNumber: position,
        })
        .optional()
        .catch(undefined),
    }),
  )
  .max(MAX_REPORTS)
  .transform((reports) =>
    reports.flatMap(({ type, body }) =>
      type === 'csp-violation' && body
        ? [
            {
              document: body.documentURL,
              directive: body.effectiveDirective,
              blocked: body.blockedURL,
              script: body.sourceFile,
              line: body.lineNumber,
              column: body.columnNumber,
            },
          ]
        : [],
    ),
  );

/**
 * Receives browsers' reports of content policy violations. Anyone can send such a report with any text, so the log gets only
 * a few reports per minute, with allowlisted values, and the count of the others.
 */
export async function policyReportRoutes(
  app: FastifyInstance,
  { publicUrl, limiter, clock }: PolicyReportOptions,
): Promise<void> {
  const pages = new Set<string>(Object.values(PAGES));
  let minute = 0;
  let lines = 0;
  let suppressed = 0;
  let total = 0;

  const pathIn = (address: string | undefined): string | undefined => {
    const url = address !== undefined && URL.canParse(address) ? new URL(address) : undefined;
    return url?.origin === publicUrl ? url.pathname : undefined;
  };
  const pageIn = (address: string | undefined) => {
    const path = pathIn(address);
    if (path === undefined) return 'elsewhere';
    return pages.has(path) ? path : path.startsWith(`${PAGES.blog}/`) ? 'an article' : 'another page';
  };
  const blockedIn = (blocked = '') => {
    if (BLOCKED.has(blocked)) return blocked;
    return pathIn(blocked) === undefined ? 'something from elsewhere' : 'something from here';
  };

  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    ['application/csp-report', 'application/reports+json'],
    { parseAs: 'string' },
    app.getDefaultJsonParser('error', 'error'),
  );
  route(
    app,
    reportPolicyViolation,
    async ({ request }) => {
      const read = z.union([singleSchema, batchSchema]).safeParse(request.body);
      if (!read.success) {
        throw createError('http.invalid_report', 'The report could not be understood.');
      }
      const now = Math.floor(clock.now().getTime() / MINUTE_MS);
      if (now !== minute) {
        if (suppressed > 0)
          request.log.warn({ suppressed }, 'further content policy reports were not logged');
        [minute, lines, suppressed] = [now, 0, 0];
      }
      for (const { document, directive = '', blocked, script, line, column } of read.data) {
        total++;
        if (lines >= LINES_PER_MINUTE) {
          suppressed++;
          continue;
        }
        lines++;
        const file = pathIn(script);
        request.log.warn(
          {
            directive: DIRECTIVES.has(directive) ? directive : 'another',
            blocked: blockedIn(blocked),
            page: pageIn(document),
            ...(file !== undefined && OWN_SCRIPT.test(file) && { script: file, line, column }),
            total,
          },
          'the content policy blocked something',
        );
      }
    },
    { onRequest: (request) => limiter.check(request) },
  );
}
