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

describe('a page at its own address', () => {
  const addresses = [...PUBLIC_PAGES, articlePage(summary.slug)];

  it.each(addresses)(
    '%s is the same to the letter when it is given the same, whenever that is',
    async (url) => {
      vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-03-01T12:00:03.000Z') });
      const now = await page(url);
      vi.setSystemTime('2026-05-04T23:59:59.000Z');
      expect(await page(url)).toEqual(now);
      expect(now).toMatchObject({ status: 200, isCanonical: true });
    },
  );

  it.each(addresses)('entry-server: %s renders without the query that a visitor adds to it', async (url) => {
    const planted = await page(`${url}?payment=required&email=planted%40example.org&token=planted`);
    expect(planted).toEqual(await page(url));
    expect(JSON.stringify(planted)).not.toContain('planted');
  });
});

describe('a page that has no address of its own', () => {
  it.each([
    ['is not there', '/no/such/page', 404],
    ['is an article that is not there', articlePage('gone'), 404],
    ['is written otherwise', '/Premium', 404],
    ['is for those who are signed in', PAGES.account, 200],
    ['goes by what its query says', `${PAGES.unsubscribe}?token=abc`, 200],
  ])('says so, because it %s', async (_why, url, status) => {
    expect(await page(url)).toMatchObject({ status, isCanonical: false });
  });

  it('still reads its query', async () => {
    expect((await page(`${PAGES.unsubscribe}?token=abc`)).body).not.toContain('This link is incomplete');
    expect((await page(PAGES.unsubscribe)).body).toContain('This link is incomplete');
  });
});

describe('the script of every document', () => {
  it('can stand in a script element, and holds nothing of a visitor', () => {
    expect(earlyScript).not.toMatch(/<\/script|<!--/i);
    expect(() => new Function(earlyScript)).not.toThrow();
  });
});
