import { queryOptions } from '@tanstack/react-query';
import { recognition } from './calls.ts';

/** What this server reads, and of it what the one who asks may choose. */
export const languagesQuery = queryOptions({
  queryKey: ['api', 'languages'],
  queryFn: async ({ signal }) => (await recognition.ask('GET /api/languages', { signal })).languages,
});
