import { describe, expect, it } from 'vitest';
import { calendarFile } from './find-dates.ts';
import { findInText, linkTo, targetOf } from './find-in-text.ts';

const OPTIONS = { languages: ['en'], country: 'US' };

/** The matches as strings of kind and matched text. */
async function found(text: string, options: Partial<typeof OPTIONS> = {}): Promise<string[]> {
  const findings = await findInText(text, { ...OPTIONS, ...options });
  return findings.map(({ kind, start, end }) => `${kind} ${text.slice(start, end)}`);
}

describe('URLs and mail addresses', () => {
  it('are found with and without a protocol, without the punctuation after them', async () => {
    expect(
      await found(
        'See https://harbour-lane.example/menu?x=1, or www.harbour.shop. Mail us: bread@harbour-lane.example!',
      ),
    ).toEqual([
      'link https://harbour-lane.example/menu?x=1',
      'link www.harbour.shop',
      'mail bread@harbour-lane.example',
    ]);
  });

  it('are not found in missing spaces, file names and versions', async () => {
    expect(
      await found('The end.It was so.In the end see notes.md, run main.py, version 2.10.3 at 192.168.0.1'),
    ).toEqual([]);
  });

  it('are not found in a rate with an at sign', async () => {
    expect(await found('Vat@13.13 and Vat@13.13%')).toEqual([]);
  });

  it('are omitted if they may continue on the next line', async () => {
    expect(await found('https://harbour.example/long-\nway/round')).toEqual([]);
    expect(await found('https://harbour.example/menu\nSecond line')).toEqual([
      'link https://harbour.example/menu',
    ]);
  });

  it('links: use only HTTP and HTTPS, and have no username before the host', () => {
    expect(linkTo('javascript:alert(1)')).toBeNull();
    expect(linkTo('ftp://harbour.example')).toBeNull();
    expect(linkTo('https://bank.example@evil.example/')).toBeNull();
    expect(linkTo('https://Harbour.example:8443/a')).toMatchObject({
      host: 'harbour.example:8443',
      readableHost: null,
    });
  });

  it('links: have the Punycode form of a host with look-alike letters', () => {
    expect(linkTo('https://hаrbour.example/')).toMatchObject({
      host: 'xn--hrbour-3nf.example',
      readableHost: 'hаrbour.example',
    });
  });
});

describe('telephone numbers', () => {
  it('are found with a country code, with a label or in the usual grouping', async () => {
    expect(await found('Ring +44 20 7946 0958 or (212) 555-0123, Tel. 2125550123.')).toEqual([
      'phone +44 20 7946 0958',
      'phone (212) 555-0123',
      'phone 2125550123',
    ]);
  });

  it('are not found in order numbers, prices, card numbers, accounts and dates', async () => {
    expect(
      await found(
        'Order 2125550123 sent at 2125550123, item 2125550123, total 1 234 567.00, card 4111 1111 1111 1111, IBAN DE89 3704 0044 0532 0130 00',
      ),
    ).toEqual([]);
  });

  it('are not found if they are grouped differently than in their country', async () => {
    expect(await found('23 4567 8901')).toEqual([]);
    expect(await found('Sales: 0124 - 4231919', { country: 'IN' })).toEqual(['phone 0124 - 4231919']);
    expect(await found('020 7946 0958', { country: 'GB' })).toEqual(['phone 020 7946 0958']);
  });

  it('phone numbers: without a country code need a known country', async () => {
    expect(await found('Tel. (212) 555-0123', { country: '' })).toEqual([]);
  });
});

describe('dates', () => {
  it('are found in the common formats, with a following time', async () => {
    const text = '2026-11-22, 22 November 2026 at 14:30, Nov. 3rd, 2026 5:15 pm, 24.12.2026 and 31/12/2026';
    expect(await found(text)).toEqual([
      'date 2026-11-22',
      'date 22 November 2026 at 14:30',
      'date Nov. 3rd, 2026 5:15 pm',
      'date 24.12.2026',
      'date 31/12/2026',
    ]);
    const [, , afternoon] = await findInText(text, OPTIONS);
    expect(afternoon).toMatchObject({
      date: { year: 2026, month: 11, day: 3, time: { hours: 17, minutes: 15 } },
    });
  });

  it('are found with names of months in the language of the text', async () => {
    expect(await found('am 3. März 2026 um 9.30 Uhr', { languages: ['de'] })).toEqual([
      'date 3. März 2026 um 9.30',
    ]);
    expect(await found('le 14 juillet 2026', { languages: ['fr'] })).toEqual(['date 14 juillet 2026']);
  });

  it('are omitted if they are ambiguous or invalid', async () => {
    expect(await found('3/4/2026, 31.02.2026, 2026-13-01, May 2026, 12.5.26, v1.10.2026.3, Monday')).toEqual(
      [],
    );
  });

  it('become a calendar file with an all-day event or one hour', () => {
    const stamp = new Date(Date.UTC(2026, 10, 1, 8, 5));
    const day = calendarFile({ year: 2026, month: 12, day: 31, time: null }, 'Rye; plum,\njam', stamp, 'one');
    expect(day).toContain('DTSTART;VALUE=DATE:20261231\r\nDTEND;VALUE=DATE:20270101\r\n');
    expect(day).toContain('SUMMARY:Rye\\; plum\\, jam\r\n');
    const hour = calendarFile(
      { year: 2026, month: 3, day: 1, time: { hours: 23, minutes: 30 } },
      'ü'.repeat(60),
      stamp,
      'two',
    );
    expect(hour).toContain('DTSTART:20260301T233000\r\nDTEND:20260302T003000\r\n');
    expect(hour.split('\r\n').every((line) => new TextEncoder().encode(line).length <= 75)).toBe(true);
  });
});

describe('QR code content', () => {
  it('is a link, a mail address, a phone number, or a text that can only be copied', () => {
    expect(targetOf('https://harbour.example/menu')).toMatchObject({ kind: 'link', host: 'harbour.example' });
    expect(targetOf('mailto:bread%40x@harbour.example?subject=x')).toMatchObject({ kind: 'mail' });
    expect(targetOf('tel:+442079460958')).toMatchObject({ kind: 'phone', number: '+442079460958' });
    expect(targetOf('WIFI:S:Harbour;T:WPA;P:jam;;')).toEqual({
      kind: 'text',
      text: 'WIFI:S:Harbour;T:WPA;P:jam;;',
    });
    expect(targetOf('javascript:alert(1)')).toMatchObject({ kind: 'text' });
    expect(targetOf('intent://scan/#Intent;end')).toMatchObject({ kind: 'text' });
  });
});
