import { describe, expect, it } from 'vitest';
import { fixture } from '../support/pictures.ts';
import { parseAnswer, requestBytes } from './raw-http.ts';
import { judge } from './verdict.ts';

const json = (status: number, body: unknown) => ({
  status,
  headers: { 'content-type': 'application/json; charset=utf-8' },
  body: Buffer.from(JSON.stringify(body)),
});
const RESULT = {
  extractedText: 'Hello',
  wordCount: 1,
  confidence: 90,
  lines: [],
  hidden: [],
  image: { width: 1, height: 1, rotation: 0 },
  language: 'eng',
  durationMs: 1,
  notices: [],
};

describe('an answer', () => {
  it('that the contract knows is a result', () => {
    expect(judge('extraction', json(200, RESULT))).toEqual({ outcome: 'result' });
    const preview = {
      status: 200,
      headers: { 'content-type': 'image/png' },
      body: fixture('harbour-lights.png'),
    };
    expect(judge('preview', preview)).toEqual({ outcome: 'result' });
  });

  it('of 4xx with a sentence is a refusal', () => {
    expect(judge('extraction', json(422, { error: 'This picture is damaged.' }))).toEqual({
      outcome: 'refused',
    });
  });

  it.each([
    ['of 500', 'extraction', json(500, { error: 'OCR processing failed' })],
    ['of 504', 'preview', json(504, { error: 'It took too long.' })],
    ['of 503 to an address', 'address', json(503, { error: 'Please wait.' })],
    ['of 400 without a sentence', 'call', json(400, { error: 'x' })],
    ['of 400 without a body', 'extraction', json(400, '')],
    ['of 429 to a picture', 'extraction', json(429, { error: 'Too many requests.' })],
    ['beside the contract', 'extraction', json(200, { ...RESULT, confidence: 101 })],
    ['without text that counts words', 'extraction', json(200, { ...RESULT, extractedText: '' })],
    ['that is no picture', 'preview', json(200, RESULT)],
  ] as const)('%s is a finding', (_what, question, answer) => {
    expect(judge(question, answer).outcome).toBe('finding');
  });
});

describe('bytes from a connection', () => {
  it('are an answer when they are whole, in one piece or in chunks', () => {
    const whole = Buffer.from('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi');
    expect(parseAnswer(whole)).toMatchObject({ status: 200, body: Buffer.from('hi') });
    expect(parseAnswer(whole.subarray(0, -1))).toBeUndefined();
    const chunked = Buffer.from(
      'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1\r\nh\r\n1\r\ni\r\n0\r\n\r\n',
    );
    expect(parseAnswer(chunked)?.body.toString()).toBe('hi');
    expect(parseAnswer(chunked.subarray(0, -6))).toBeUndefined();
  });

  it('of an answer to HEAD are whole without the body that they speak of', () => {
    expect(parseAnswer(Buffer.from('HTTP/1.1 404 No\r\nContent-Length: 9\r\n\r\n'), false)?.status).toBe(404);
  });

  it('are sent as they were written, the target included', () => {
    const request = requestBytes({ method: 'GET', target: '/a b\u0001', headers: { X: '1' } });
    expect(request.toString('latin1')).toBe(
      'GET /a b\u0001 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nX: 1\r\n\r\n',
    );
  });
});
