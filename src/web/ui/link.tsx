import type { ComponentProps } from 'react';
import { Link } from 'react-router';
import { classNames } from './class-names.ts';

type TextLinkProps = Omit<ComponentProps<'a'>, 'href'> & { href: string };

/** A link in running text. Addresses that start with one slash stay inside the page; others open in a new tab. */
export function TextLink({ href, className, ...rest }: TextLinkProps) {
  const classes = classNames('text-link', className);
  if (/^\/(?![/\\])/.test(href) || href.startsWith('#'))
    return <Link {...rest} to={href} className={classes} />;
  if (href.startsWith('mailto:')) return <a {...rest} href={href} className={classes} />;
  return <a {...rest} href={href} className={classes} target="_blank" rel="noopener noreferrer" />;
}
