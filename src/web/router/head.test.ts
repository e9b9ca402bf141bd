import { describe, expect, test } from 'vitest';
import type { Site } from '#contract/page';
import { breadcrumbs, fullTitle, organization, renderHead, scriptJson } from './head.ts';
import type { PageMeta } from './page.ts';

const site: Site = {
  publicUrl: 'https://glyphlift.example',
  supportEmail: 'help@glyphlift.example',
  premiumAvailability: 'coming-soon',
  signInProvider: 'google',
  thirdPartySignIn: null,
  worksOffline: true,
  readsOnDevice: true,
  freeDailyLimit: 3,
  premiumMonthlyLimit: 1500,
  now: '2026-03-01T12:00:00.000Z',
};

const meta: PageMeta = {
  title: 'Refund Policy',
  description: 'How payments are handled.',
  path: '/refund-policy',
};

/** The parsed structured data of a rendered head. */
function structuredData(head: string): unknown[] {
  const scripts = head.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/gs);
  return [...scripts].map((match) => JSON.parse(match[1] ?? ''));
}

describe("a page's head", () => {
  test('has title, description, canonical URL and Open Graph', () => {
    const head = renderHead(meta, site);
    expect(head).toContain('<title>Refund Policy – Glyphlift</title>');
    expect(head).toContain('<meta name="description" content="How payments are handled.">');
    expect(head).toContain('<link rel="canonical" href="https://glyphlift.example/refund-policy">');
    expect(head).toContain('<meta property="og:url" content="https://glyphlift.example/refund-policy">');
    expect(head).toContain('<meta property="og:image" content="https://glyphlift.example/social/site.png">');
    expect(head).not.toContain('noindex');
  });

  test('head: a page without a canonical URL is not indexed', () => {
    const head = renderHead({ title: 'Page Not Found', description: 'Nothing here.' }, site);
    expect(head).toContain('<meta name="robots" content="noindex">');
    expect(head).not.toContain('canonical');
    expect(head).not.toContain('og:url');
  });

  test('escapes title and description', () => {
    const evil = '"></title><script>alert(1)</script>';
    const head = renderHead({ ...meta, title: evil, description: evil }, site);
    expect(head).not.toContain('<script>');
    expect(head).toContain('&quot;&gt;&lt;/title&gt;&lt;script&gt;');
  });

  test('head: structured data is escaped and parses to the same JSON', () => {
    const headline = '</script><script>alert(1)</script><!--\u2028';
    const headOf = (text: string) =>
      renderHead({ ...meta, jsonLd: [{ '@type': 'BlogPosting', headline: text }] }, site);
    const scripts = (text: string) => headOf(text).match(/<\/?script/g);
    const head = headOf(headline);
    expect(scripts(headline)).toEqual(scripts('harmless'));
    expect(structuredData(head)).toEqual([
      { '@context': 'https://schema.org', '@type': 'BlogPosting', headline },
    ]);
  });

  test('names the product once in the title', () => {
    expect(fullTitle({ ...meta, title: 'Glyphlift: image to text' })).toBe('Glyphlift: image to text');
    expect(fullTitle(meta)).toBe('Refund Policy – Glyphlift');
  });
});

describe('structured data', () => {
  test('breadcrumbs start at the home page, with positions and absolute URLs', () => {
    expect(breadcrumbs(site, [{ name: 'Blog', path: '/blog' }])).toMatchObject({
      itemListElement: [
        { position: 1, name: 'Home', item: 'https://glyphlift.example/' },
        { position: 2, name: 'Blog', item: 'https://glyphlift.example/blog' },
      ],
    });
  });

  test('the organization names the support address', () => {
    expect(organization(site)).toMatchObject({
      '@type': 'Organization',
      contactPoint: { email: 'help@glyphlift.example' },
    });
  });

  test('JSON for a script element round-trips', () => {
    const value = { text: '</script> & <b>"\u2029"', list: [1, null] };
    expect(JSON.parse(scriptJson(value))).toEqual(value);
    expect(scriptJson(value)).not.toContain('<');
  });
});
