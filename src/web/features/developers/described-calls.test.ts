import { describe, expect, it } from 'vitest';
import { CALLS } from '#contract/calls';
import { describeApi } from '#contract/openapi';
import { describedApi } from './described-calls.ts';

const api = describedApi(
  describeApi(CALLS, {
    publicUrl: 'https://glyphlift.example',
    version: '1',
    cookies: { visitor: 'visitor', session: 'session' },
  }),
);
const calls = api.groups.flatMap((group) => group.calls);
const callOf = (id: string) => calls.find((one) => one.id === id);

describe('describedApi', () => {
  it('described calls: contains every call in its group', () => {
    const declared = Object.entries(CALLS).map(([name, group]) => [name, Object.keys(group).length]);
    expect(api.groups.map((group) => [group.name, group.calls.length])).toEqual(declared);
  });

  it('described calls: lists all fields of requests and responses, nested ones included', () => {
    const call = callOf('extractText');
    const bodies = ['multipart/form-data', 'application/json', 'image/*', 'application/pdf'];
    expect(call?.sent.map(({ place }) => place)).toEqual(['query', 'header', ...bodies]);
    expect(call?.answer.fields).toContainEqual({
      name: 'lines[].words[].confidence',
      type: 'whole number, 0 to 100',
      required: true,
      description: null,
    });
    expect(call?.keyScope).toBe('read');
    expect(callOf('changePassword')?.keyScope).toBeNull();
    expect(callOf('changePassword')?.sent[0]?.fields).toContainEqual(
      expect.objectContaining({ name: 'newPassword', type: 'text, 6 to 128 characters', required: true }),
    );
    expect(callOf('listTexts')?.answer.fields).toContainEqual(
      expect.objectContaining({ name: 'next', type: 'text or null' }),
    );
    expect(callOf('readText')?.sent[0]).toMatchObject({ place: 'path', fields: [{ name: 'id' }] });
  });

  it('described calls: lists the errors of each call at the call, and common errors once', () => {
    const codes = callOf('login')?.failures.flatMap((one) => one.codes);
    expect(codes).toContain('accounts.wrong_credentials');
    expect(codes).not.toContain('http.too_many_requests');
    const shared = api.codes.filter(({ everywhere }) => everywhere).map(({ code }) => code);
    expect(shared).toContain('http.too_many_requests');
    const linked = new Set(calls.flatMap(({ failures }) => failures.flatMap((one) => one.codes)));
    expect([...linked].filter((code) => !api.codes.some((one) => one.code === code))).toEqual([]);
  });
});
