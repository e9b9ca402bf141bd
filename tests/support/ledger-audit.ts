import type { Installation } from './installation.ts';
import type { Ledger } from './traffic.ts';

/**
 * Compares acknowledgments to clients with the database: everything acknowledged is stored once, and no visitor exceeds the
 * limit. Returns the violations.
 */
export async function auditLedger(
  ledger: Ledger,
  { limit, query }: { limit: number; query: Installation['query'] },
): Promise<string[]> {
  const wrong: string[] = [];
  const counted = await counts(
    query,
    "select holder as name, count(*) as n from quota_entries where committed is not null and holder like 'visitor:%' group by holder",
  );
  for (const [holder, n] of counted) if (n > limit) wrong.push(`${holder} has ${n} extractions of ${limit}`);
  for (const { visitorId, counted: acknowledged, unknown } of ledger.visitors) {
    const has = counted.get(`visitor:${visitorId}`) ?? 0;
    if (has < acknowledged)
      wrong.push(`visitor ${visitorId} had ${acknowledged} acknowledged extractions, and ${has} are counted`);
    if (has > acknowledged + unknown)
      wrong.push(
        `visitor ${visitorId} had ${acknowledged} acknowledged extractions (${unknown} open), and ${has} are counted`,
      );
  }

  const registrations = await counts(
    query,
    'select username as name, count(*) as n from registrations group by username',
  );
  const users = await counts(query, 'select username as name, count(*) as n from users group by username');
  const subscriptions = await counts(
    query,
    'select username as name, count(s.id) as n from users u left join subscriptions s on s.user_id = u.id group by username',
  );
  const payments = await counts(
    query,
    "select username as name, count(*) as n from payments p join registrations r on r.id = p.registration_id where p.status = 'applied' group by username",
  );
  const known = new Set(ledger.people.map(({ username }) => username));
  for (const { username, registered, paid } of ledger.people) {
    if (registered && !registrations.has(username) && !users.has(username))
      wrong.push(`the registration of ${username} is lost`);
    if (!paid) continue;
    if (users.get(username) !== 1)
      wrong.push(`${username} has paid and has ${users.get(username) ?? 0} accounts`);
    if (subscriptions.get(username) !== 1)
      wrong.push(`${username} has paid and has ${subscriptions.get(username) ?? 0} subscriptions`);
    if (payments.get(username) !== 1)
      wrong.push(`${username} has paid once, and ${payments.get(username) ?? 0} payments were applied`);
  }
  for (const [name, what] of [
    ['registrations', registrations],
    ['accounts', users],
    ['subscriptions', subscriptions],
    ['payments', payments],
  ] as const) {
    for (const [username, n] of what)
      if (known.has(username) && n > 1) wrong.push(`${username} has ${n} ${name}`);
  }
  return wrong;
}

async function counts(query: Installation['query'], sql: string): Promise<Map<string, number>> {
  return new Map((await query(sql)).map(({ name, n }) => [String(name), Number(n)]));
}
