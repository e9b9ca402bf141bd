import { queryOptions } from '@tanstack/react-query';
import { accountSchema, linkIdentityResponseSchema, sessionsResponseSchema } from '#contract/account';
import { API } from '#contract/paths';
import {
  recoveryCodesResponseSchema,
  type SecondFactorSecret,
  secondFactorStatusSchema,
  startSecondFactorResponseSchema,
} from '#contract/second-factor';
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

export const secondFactorQuery = queryOptions({
  queryKey: ['api', 'account', 'second-factor'],
  queryFn: async ({ signal }) =>
    secondFactorStatusSchema.parse(await (await request(API.secondFactor, { signal })).json()).secondFactor,
});

/** What an authenticator app needs; it counts for nothing until it is confirmed. */
export async function startSecondFactor(body: { currentPassword?: string }): Promise<SecondFactorSecret> {
  return startSecondFactorResponseSchema.parse(await (await postJson(API.startSecondFactor, body)).json());
}

/** The recovery codes, this once. */
export async function confirmSecondFactor(code: string): Promise<string[]> {
  const response = await postJson(API.secondFactor, { code });
  return recoveryCodesResponseSchema.parse(await response.json()).recoveryCodes;
}

/** `body`: the password and a code. */
export async function renewRecoveryCodes(body: object): Promise<string[]> {
  const response = await postJson(API.recoveryCodes, body);
  return recoveryCodesResponseSchema.parse(await response.json()).recoveryCodes;
}
