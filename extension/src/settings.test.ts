import { expect, it } from 'vitest';
import { permissionFor, serverOrigin } from './settings.ts';

it.each([
  ['read.example.org', 'https://read.example.org'],
  [' https://read.example.org/account?x=1 ', 'https://read.example.org'],
  ['https://read.example.org:8443', 'https://read.example.org:8443'],
  ['http://localhost:3000', 'http://localhost:3000'],
  ['http://127.0.0.1:3000/', 'http://127.0.0.1:3000'],
])('serverOrigin: accepts %s', (typed, origin) => expect(serverOrigin(typed)).toBe(origin));

it.each([
  '',
  'http://read.example.org',
  'http://localhost.example.org',
  'ftp://read.example.org',
  'https://user@read.example.org',
  'javascript:alert(1)',
  'https://',
])('serverOrigin: rejects "%s"', (typed) => expect(serverOrigin(typed)).toBeNull());

it('permissionFor: the pattern has no port, because Firefox supports no ports in match patterns', () =>
  expect(permissionFor('http://localhost:3000')).toEqual({ origins: ['http://localhost/*'] }));
