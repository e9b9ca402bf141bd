import { afterEach, describe, expect, it, vi } from 'vitest';
import { CALLS } from '#contract/calls';
import type { Article } from '#contract/calls/content';
import { describeApi } from '#contract/openapi';
import type { PageData, Site } from '#contract/page';
import { articlePage, PAGES, PUBLIC_PAGES } from '#contract/paths';
import { earlyScript, render } from './entry-server.tsx';

const site: Site = {
  publicUrl: 'https://glyphlift.example',
  supportEmail: 'help@glyphlift.example',
  premiumAvailability: 'available',
  signInProvider: 'google',
  thirdPartySignIn: 'demo',
  worksOffline: true,
  readsOnDevice: true,
  freeDailyLimit: 3,
  premiumMonthlyLimit: 1500,
  now: '2026-03-01T12:00:00.000Z',
};

const { content, pictures, ...summary }: Article = {
  id: 'first',
  slug: 'first',
  title: 'The first',
  excerpt: 'An excerpt.',
  description: 'A description.',
  author: 'Ada',
  publishedDate: '2026-02-01',
  readingTime: '1 min',
  tags: ['ocr'],
  content: '## A heading\n\nA text.',
  pictures: [],
};

const data: PageData = {
  user: async () => null,
  usage: async () => ({
    imageCount: 3,
    dailyLimit: 3,
    period: 'day',
    resetsAt: '2026-03-02T00:00:00.000Z',
  }),
  payment: async () => ({ provider: 'demo', payingFor: null, finished: null, claim: null }),
  subscription: async () => null,
  account: async () => null,
  savedTexts: async () => null,
  savedText: async () => null,
  sessions: async () => null,
  secondFactor: async () => null,
  apiKeys: async () => null,
  webhookSecret: async () => null,
  articles: async () => [summary],
  article: async (slug) => (slug === summary.slug ? { ...summary, content, pictures } : null),
  description: async () =>
    describeApi(CALLS, {
      publicUrl: site.publicUrl,
      version: '1',
      cookies: { visitor: 'visitor', session: 'session' },
    }),
  languages: async () => [{ code: 'eng', name: 'English' }],
};

const page = (url: string) => render({ url, site, data });

afterEach(() => {
  vi.useRealTimers();
});

describe('a page at its canonical URL', () => {
  const addresses = [...PUBLIC_PAGES, articlePage(summary.slug)];

  it.each(addresses)('%s renders the same bytes from the same data at any time', async (url) => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-03-01T12:00:03.000Z') });
    const now = await page(url);
    vi.setSystemTime('2026-05-04T23:59:59.000Z');
    expect(await page(url)).toEqual(now);
    expect(now).toMatchObject({ status: 200, isCanonical: true });
  });

  it.each(addresses)('entry-server: %s ignores an added query string', async (url) => {
    const planted = await page(`${url}?payment=required&email=planted%40example.org&token=planted`);
    expect(planted).toEqual(await page(url));
    expect(JSON.stringify(planted)).not.toContain('planted');
  });
});

describe('a page without a canonical URL', () => {
  it.each([
    ['does not exist', '/no/such/page', 404],
    ['is an article that does not exist', articlePage('gone'), 404],
    ['has different letter case', '/Premium', 404],
    ['requires sign-in', PAGES.account, 200],
    ['depends on its query string', `${PAGES.unsubscribe}?token=abc`, 200],
  ])('is not canonical if it %s', async (_why, url, status) => {
    expect(await page(url)).toMatchObject({ status, isCanonical: false });
  });

  it('uses its query string', async () => {
    expect((await page(`${PAGES.unsubscribe}?token=abc`)).body).not.toContain('This link is incomplete');
    expect((await page(PAGES.unsubscribe)).body).toContain('This link is incomplete');
  });
});

describe('the inline script of every document', () => {
  it('parses and cannot close its script element', () => {
    expect(earlyScript).not.toMatch(/<\/script|<!--/i);
    expect(() => new Function(earlyScript)).not.toThrow();
  });
});
