import { FILES } from '#contract/paths';
import { BRAND } from '#contract/product';

interface SecurityOptions {
  publicUrl: string;
  supportEmail: string;
}

const DAY_MS = 24 * 60 * 60 * 1000;
/** RFC 9116 recommends less than a year. */
const VALID_DAYS = 180;

/** The security contact (RFC 9116). It expires if the server is not restarted for `VALID_DAYS`. */
export function securityText({ publicUrl, supportEmail }: SecurityOptions, now: Date): string {
  const expires = new Date(Math.floor(now.getTime() / DAY_MS + VALID_DAYS) * DAY_MS);
  return `${[
    `Contact: mailto:${encodeURI(supportEmail)}`,
    `Expires: ${expires.toISOString()}`,
    'Preferred-Languages: en',
    `Canonical: ${publicUrl}${FILES.security}`,
    `Policy: ${publicUrl}${FILES.securityPolicy}`,
  ].join('\n')}\n`;
}

/** The policy for security researchers, consistent with `SECURITY.md`. */
export function securityPolicy({ supportEmail }: SecurityOptions): string {
  return `Security at ${BRAND.name}

Found a vulnerability? Please write to ${supportEmail} before you tell others. Say what you did, what happened and what could be
done with it; a request that shows it helps most. You get an answer from a person within three working days, and word
when it is closed. Two things we ask to wait for: a fix, or ninety days, whichever comes first.

You are welcome to look with accounts of your own and pictures of your own. Please do not read, change or delete what
belongs to others, do not send floods of requests, mails or payments, and stop when you have enough to show it.
If you keep to this, you have nothing to fear from us.

We pay no rewards, and gladly name those who want to be named.
`;
}
