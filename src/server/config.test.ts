import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { loadConfig, VARIABLES } from './config.ts';
import { describeVariables } from './platform/environment.ts';

describe('the settings', () => {
  it('have defaults', () => {
    const config = loadConfig({});
    expect(config).toMatchObject({
      port: 3000,
      host: '127.0.0.1',
      publicUrl: 'http://localhost:3000',
      trustProxy: false,
      premiumAvailability: 'coming-soon',
      freeDailyLimit: 3,
      premiumMonthlyLimit: 1500,
      maxPixels: 100_000_000,
    });
    expect(config.databaseUrl).toBeUndefined();
  });

  it('treat an empty value as unset', () => {
    expect(loadConfig({ PORT: '', DATABASE_URL: '' })).toMatchObject({ port: 3000, databaseUrl: undefined });
  });

  it('derive the default public URL from the port', () => {
    expect(loadConfig({ PORT: '8080' }).publicUrl).toBe('http://localhost:8080');
    expect(loadConfig({ PORT: '8080', PUBLIC_URL: 'https://a.example/' }).publicUrl).toBe(
      'https://a.example',
    );
  });

  it.each([
    ['off', false],
    ['2', 2],
    ['loopback', ['loopback']],
    ['10.0.0.0/8, fd00::/8', ['10.0.0.0/8', 'fd00::/8']],
  ])('read TRUST_PROXY=%s', (text, value) => {
    expect(loadConfig({ TRUST_PROXY: text }).trustProxy).toEqual(value);
  });

  it.each([
    ['PORT', 'abc'],
    ['PORT', '70000'],
    ['PORT', '-1'],
    ['PUBLIC_URL', 'glyphlift.example'],
    ['PUBLIC_URL', 'https://glyphlift.example/app'],
    ['DATABASE_URL', 'mysql://x'],
    ['TRUST_PROXY', 'everybody'],
    ['TRUST_PROXY', '0'],
    ['SUPPORT_EMAIL', 'nobody'],
    ['PREMIUM_AVAILABILITY', 'soon'],
    ['FREE_DAILY_LIMIT', '3.5'],
    ['LOG_LEVEL', 'loud'],
    ['COOKIE_KEY', 'short'],
  ])('reject %s=%s in one line that names the variable but not its value', (name, value) => {
    const line = messageOf(() => loadConfig({ [name]: value }));
    expect(line).toMatch(new RegExp(`^Invalid settings: ${name} must [^\\n]+\\.$`));
  });

  it.each([
    [{ PAYPAL_CLIENT_ID: 'a' }],
    [{ PAYPAL_CLIENT_ID: 'a', PAYPAL_CLIENT_SECRET: 'b' }],
    [{ PAYPAL_CLIENT_ID: 'a', PAYPAL_CLIENT_SECRET: 'b', PAYPAL_WEBHOOK_ID: 'c', PAYMENTS: 'demo' }],
    [{ OIDC_CLIENT_ID: 'a' }],
    [{ WEBHOOK_TARGETS: 'anywhere' }],
  ])('reject the incomplete or contradictory settings %j', (settings) => {
    expect(messageOf(() => loadConfig(settings))).toMatch(/^Invalid settings: [^;]+\.$/);
  });

  it('loadConfig: accepts origins as webhook targets in production, and rejects other texts', () => {
    const load = (value: string) => loadConfig({ WEBHOOK_TARGETS: value }).webhookTargets;
    expect(load('http://n8n:5678, https://paperless.lan/')).toEqual([
      'http://n8n:5678',
      'https://paperless.lan',
    ]);
    expect(messageOf(() => load('somewhere'))).toContain('must be "public", "anywhere" or a list of origins');
    expect(messageOf(() => load('http://n8n:5678/path'))).toContain('WEBHOOK_TARGETS');
  });

  it('report all errors at once', () => {
    const line = messageOf(() => loadConfig({ PORT: 'x', LOG_LEVEL: 'y' }));
    expect(line).toContain('PORT');
    expect(line).toContain('LOG_LEVEL');
  });

  it('.env.example lists every setting and is what scripts/generated-files.ts writes', async () => {
    const example = await readFile(new URL('../../.env.example', import.meta.url), 'utf8');
    expect(example, 'run: npx tsx --conditions=source scripts/generated-files.ts').toBe(
      describeVariables(VARIABLES),
    );
    for (const { name, doc } of Object.values(VARIABLES)) {
      expect(doc, name).not.toBe('');
      expect(
        example.split('\n').some((line) => line.startsWith(`#${name}=`)),
        name,
      ).toBe(true);
    }
  });
});

function messageOf(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    return (error as Error).message;
  }
  throw new Error('nothing was refused');
}
