import { expect, it } from 'vitest';
import { PayPalDouble } from '../../../tests/doubles/paypal.ts';
import { createBrowser } from '../../../tests/support/people.ts';
import { createTestClock, startTestServer } from '../../../tests/support/server-app.ts';
import { describeOnBothDatabases } from '../../../tests/support/server-databases.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

describeOnBothDatabases('two servers that poll payments in parallel', (testDatabase) => {
  it('ask the provider once about each payment and each renewal', async () => {
    const clock = createTestClock();
    const paypal = await PayPalDouble.start({ now: () => clock.now() });
    const start = () => startTestServer({ testDatabase: testDatabase(), clock, env: paypal.env });
    const [here, there] = await Promise.all([start(), start()]);
    const subscriptionOf = async (name: string) => {
      const before = new Set(paypal.subscriptions.keys());
      const browser = createBrowser(here.app);
      await browser.register(name);
      await browser.pay(`${name}@example.org`);
      const id = [...paypal.subscriptions.keys()].find((one) => !before.has(one)) ?? '';
      return { browser, id };
    };
    const renewed = await subscriptionOf('vera');
    const { pathname, search } = new URL(paypal.approve(renewed.id));
    await renewed.browser.get(pathname + search);
    clock.advance(32 * DAY_MS);
    const open = [];
    for (const name of ['walter', 'xenia', 'yusuf']) open.push((await subscriptionOf(name)).id);
    clock.advance(60_000);

    const before = paypal.calls.length;
    await Promise.all([here.sweep(), there.sweep()]);
    const asked = paypal.calls.slice(before).filter((call) => call.includes('/billing/subscriptions/'));
    expect(asked.map((call) => call.slice(call.lastIndexOf('/') + 1)).sort()).toEqual(
      [renewed.id, ...open].sort(),
    );
    await Promise.all([here.close(), there.close()]);
    await paypal.close();
  });
});
