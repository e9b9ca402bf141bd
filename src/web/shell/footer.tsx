import { PAGES } from '#contract/paths';
import { BRAND } from '#contract/product';
import { useSite } from '../site/site.tsx';
import { Link, TextLink } from '../ui/basics/link.tsx';
import { Mark } from '../ui/basics/mark.tsx';

const LEGAL = [
  { to: PAGES.terms, label: 'Terms of Service' },
  { to: PAGES.privacy, label: 'Privacy Policy' },
  { to: PAGES.refund, label: 'Refund Policy' },
] as const;

/** The colophon: who made this, what binds both sides, where to write. */
export function Footer() {
  const { supportEmail, now } = useSite();
  return (
    <footer className="mt-auto border-t border-rule">
      <div className="page-width flex flex-wrap items-start justify-between gap-x-12 gap-y-8 py-10">
        <div className="flex gap-4">
          <Mark className="size-10 shrink-0" />
          <p className="max-w-xs text-sm text-ink-soft">
            {BRAND.tagline} Your picture is read in memory and forgotten; only you keep the text.
          </p>
        </div>
        <nav aria-label="Legal">
          <ul className="grid gap-1.5 text-sm">
            {LEGAL.map(({ to, label }) => (
              <li key={to}>
                <Link to={to} className="text-link inline-flex min-h-6 items-center">
                  {label}
                </Link>
              </li>
            ))}
          </ul>
        </nav>
        <div className="grid gap-1.5 text-sm">
          <p>
            Support: <TextLink href={`mailto:${supportEmail}`}>{supportEmail}</TextLink>
          </p>
          <p className="text-ink-soft">
            © {new Date(now).getUTCFullYear()} {BRAND.name}. All rights reserved.
          </p>
        </div>
      </div>
    </footer>
  );
}
