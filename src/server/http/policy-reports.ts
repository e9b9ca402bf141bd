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

/** Of one batch; browsers gather what happens on a page. */
const REPORTS_AT_ONCE = 20;
const LINES_PER_MINUTE = 10;
const MINUTE_MS = 60_000;

/** The log names directives and violations only by these words, and by nothing from outside. */
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
const place = z.number().int().min(0).max(10_000_000).optional().catch(undefined);

/** `application/csp-report`: one report, in the words of the policy's second edition. */
const singleSchema = z
  .object({
    'csp-report': z.object({
      'document-uri': text,
      'effective-directive': text,
      'violated-directive': text,
      'blocked-uri': text,
      'source-file': text,
      'line-number': place,
      'column-number': place,
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
          lineNumber: place,
          columnNumber: place,
        })
        .optional()
        .catch(undefined),
    }),
  )
  .max(REPORTS_AT_ONCE)
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
 * Takes browsers' reports of content policy violations. Anyone can send such a report, with any text in it: it is
 * counted, and the log gets a few lines a minute in fixed words.
 */
export async function policyReportRoutes(
  app: FastifyInstance,
  { publicUrl, limiter, clock }: PolicyReportOptions,
): Promise<void> {
  const pages = new Set<string>(Object.values(PAGES));
  let minute = 0;
  let lines = 0;
  let unsaid = 0;
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
        if (unsaid > 0) request.log.warn({ unsaid }, 'more was stopped by the content policy than was said');
        [minute, lines, unsaid] = [now, 0, 0];
      }
      for (const { document, directive = '', blocked, script, line, column } of read.data) {
        total++;
        if (lines >= LINES_PER_MINUTE) {
          unsaid++;
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
          'the content policy stopped something',
        );
      }
    },
    { onRequest: (request) => limiter.check(request) },
  );
}
