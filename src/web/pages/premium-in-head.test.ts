import { QueryClient } from '@tanstack/react-query';
import { describe, expect, test } from 'vitest';
import type { Site } from '#contract/page';
import { PAGES } from '#contract/paths';
import { ROUTES } from '../routes.tsx';

/* The premium plan in the description and the structured data of pages. */

async function metaAt(path: string, premiumAvailability: Site['premiumAvailability']) {
  const { meta } = await ROUTES.find((route) => route.path === path)!.open();
  const site: Site = {
    publicUrl: 'https://glyphlift.example',
    supportEmail: 'words@glyphlift.example',
    premiumAvailability,
    signInProvider: 'google',
    thirdPartySignIn: null,
    worksOffline: false,
    readsOnDevice: true,
    freeDailyLimit: 3,
    premiumMonthlyLimit: 1500,
    now: '2026-05-04T10:00:00.000Z',
  };
  return meta({ site, params: {}, queryClient: new QueryClient() });
}

describe('head of the premium page', () => {
  test('premium page: its description begins with "Coming soon" while premium is coming soon', async () => {
    expect((await metaAt(PAGES.premium, 'coming-soon')).description).toMatch(/^Coming soon: 1,500/);
    expect((await metaAt(PAGES.premium, 'available')).description).toMatch(/^1,500/);
  });
});

describe('structured data of the start page', () => {
  test('start page: its offers name the price of premium only while premium can be bought', async () => {
    const offered = async (availability: Site['premiumAvailability']) =>
      JSON.stringify((await metaAt(PAGES.home, availability)).jsonLd);
    expect(await offered('coming-soon')).not.toContain('4.99');
    expect(await offered('available')).toContain('4.99');
  });
});
