import { queryOptions } from '@tanstack/react-query';
import { accountSchema, linkIdentityResponseSchema, sessionsResponseSchema } from '#contract/account';
import { API } from '#contract/paths';
import { postJson, request } from '../../api.ts';

export const accountQuery = queryOptions({
  queryKey: ['api', 'account'],
  queryFn: async ({ signal }) => accountSchema.parse(await (await request(API.account, { signal })).json()),
});

/** Always the state of now: another device may have come or gone. */
export const sessionsQuery = queryOptions({
  queryKey: ['api', 'account', 'sessions'],
  queryFn: async ({ signal }) =>
    sessionsResponseSchema.parse(await (await request(API.sessions, { signal })).json()).sessions,
  staleTime: 0,
});

export function endSession(id: string): Promise<Response> {
  return request(`${API.sessions}/${encodeURIComponent(id)}`, { method: 'DELETE' });
}

/** Where to go to link the sign-in provider to this account. */
export async function startLinking(): Promise<string> {
  const response = await postJson(API.identities);
  return linkIdentityResponseSchema.parse(await response.json()).redirectUrl;
}

export function unlink(provider: string): Promise<Response> {
  return request(`${API.identities}/${encodeURIComponent(provider)}`, { method: 'DELETE' });
}
