import type { ComponentProps } from 'react';
import { classNames } from './class-names.ts';

export type LinkProps = Omit<ComponentProps<'a'>, 'href'> & { to: string };

/** A link to another page of this site. The router handles its click; before hydration the browser follows it. */
export function Link({ to, ...rest }: LinkProps) {
  return <a {...rest} href={to} />;
}

type TextLinkProps = Omit<ComponentProps<'a'>, 'href'> & { href: string };

/** A link in running text. Addresses that start with one slash stay inside the page; others open in a new tab. */
export function TextLink({ href, className, ...rest }: TextLinkProps) {
  const classes = classNames('text-link', className);
  const staysHere = /^\/(?![/\\])/.test(href) || href.startsWith('#') || href.startsWith('mailto:');
  if (staysHere) return <a {...rest} href={href} className={classes} />;
  return <a {...rest} href={href} className={classes} target="_blank" rel="noopener noreferrer" />;
}
