import { call } from '../call.ts';
import { openApiSchema } from '../openapi.ts';

/*
 * The site itself: the OpenAPI document, and reports of browsers.
 */

const REPORT_BYTES = 16 * 1024;

export const describeCalls = call({
  method: 'GET',
  path: '/api/openapi.json',
  summary: 'Get this description',
  description: 'OpenAPI 3.1.',
  access: 'anyone',
  // Some tools send a key with every request.
  key: 'ignored',
  answers: { 200: openApiSchema },
});

export const reportPolicyViolation = call({
  method: 'POST',
  path: '/api/content-policy-reports',
  summary: 'Report violations of the content security policy',
  description: 'Sent by browsers.',
  access: 'anyone',
  limits: { bodyBytes: REPORT_BYTES, rate: 'policy-report' },
  raw: ['application/csp-report', 'application/reports+json'],
  answers: { 204: { kind: 'nothing', description: 'Accepted.' } },
  errors: ['http.invalid_report'],
});
