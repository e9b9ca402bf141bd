import { queryOptions } from '@tanstack/react-query';
import { recognition } from './calls.ts';

/** The languages that this server reads, and those that the caller may choose. */
export const languagesQuery = queryOptions({
  queryKey: ['api', 'languages'],
  queryFn: async ({ signal }) => (await recognition.ask('GET /api/languages', { signal })).languages,
});
