import { PAGES } from '#contract/paths';
import { BRAND } from '#contract/product';
import { useSite } from '../site/site.tsx';
import { Link, TextLink } from '../ui/basics/button.tsx';
import { Logo } from '../ui/basics/display.tsx';

const MORE = [
  { to: PAGES.blog, label: 'Blog' },
  { to: PAGES.languages, label: 'Languages' },
  { to: PAGES.developers, label: 'Developers' },
] as const;

const LEGAL = [
  { to: PAGES.terms, label: 'Terms of Service' },
  { to: PAGES.privacy, label: 'Privacy Policy' },
  { to: PAGES.refund, label: 'Refund Policy' },
] as const;

/** Links to further pages and legal pages, the support address and the copyright line. */
export function Footer() {
  const { supportEmail, now } = useSite();
  return (
    <footer className="mt-auto border-t border-rule">
      <div className="page-width grid grid-cols-2 items-start gap-x-12 gap-y-8 py-10 sm:grid-cols-[minmax(0,1fr)_auto_auto] lg:grid-cols-[minmax(0,1fr)_auto_auto_auto]">
        <div className="flex gap-4 max-sm:col-span-2">
          <Logo className="size-10 shrink-0" />
          <p className="max-w-xs text-sm text-ink-soft">
            Your picture is read in memory and then deleted; only you keep the text.
          </p>
        </div>
        <Links label="More pages" links={MORE} />
        <Links label="Legal" links={LEGAL} />
        <div className="grid gap-1.5 text-sm max-lg:col-span-full">
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

const Links = ({ label, links }: { label: string; links: typeof MORE | typeof LEGAL }) => (
  <nav aria-label={label}>
    <ul className="grid gap-1.5 text-sm">
      {links.map(({ to, label: name }) => (
        <li key={to}>
          <Link to={to} className="text-link inline-flex min-h-6 items-center">
            {name}
          </Link>
        </li>
      ))}
    </ul>
  </nav>
);
