import { clsx } from 'clsx';
import type { ComponentProps } from 'react';

/* Buttons, links and switches. */

const VARIANTS = {
  /** The main action. At most one in a view. */
  primary: 'bg-ink text-paper hover:bg-ink-lifted disabled:bg-sunk',
  secondary:
    'border border-rule-strong bg-sheet text-ink hover:border-ink hover:bg-sunk disabled:border-rule disabled:bg-sunk',
  ghost: 'text-ink hover:bg-sunk disabled:bg-transparent',
  /** Underlined text, for secondary actions inside a sentence or a bar. */
  quiet:
    'text-ink-soft underline decoration-rule-strong underline-offset-4 hover:text-ink hover:decoration-ink',
} as const;

const SIZES = {
  small: 'min-h-11 gap-1.5 px-3 text-sm',
  medium: 'min-h-11 gap-2 px-5 text-base',
  large: 'min-h-13 gap-2.5 px-7 text-lg',
  /** A square for a single icon; the button then needs an `aria-label`. */
  icon: 'size-11 p-0',
} as const;

interface ButtonStyle {
  variant?: keyof typeof VARIANTS;
  size?: keyof typeof SIZES;
}

function buttonClass({ variant = 'primary', size = 'medium' }: ButtonStyle, className?: string): string {
  return clsx(
    'inline-flex items-center justify-center rounded-control text-center font-medium leading-tight',
    // At a page zoom of 400 %, a long label needs two lines.
    'whitespace-nowrap max-[22.5rem]:whitespace-normal',
    'transition-colors duration-150 select-none active:translate-y-px',
    'disabled:translate-y-0 disabled:cursor-not-allowed disabled:text-ink-faint',
    VARIANTS[variant],
    variant === 'quiet' ? 'min-h-6 rounded-sm text-sm' : SIZES[size],
    className,
  );
}

type ButtonProps = ComponentProps<'button'> & ButtonStyle & { busy?: boolean };

/** `busy` disables the button and shows an animated caret after the label. */
export function Button({ variant, size, busy = false, className, disabled, children, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      disabled={disabled || busy}
      aria-busy={busy || undefined}
      className={buttonClass({ ...(variant && { variant }), ...(size && { size }) }, className)}
    >
      {children}
      {busy && <span aria-hidden="true" className="caret" />}
    </button>
  );
}

/** A link to the next step, styled as a button. */
export function ButtonLink({ variant, size, className, ...rest }: LinkProps & ButtonStyle) {
  return (
    <Link
      {...rest}
      className={buttonClass({ ...(variant && { variant }), ...(size && { size }) }, className)}
    />
  );
}

export type LinkProps = Omit<ComponentProps<'a'>, 'href'> & { to: string };

/** A link to another page of this site. The router handles its click; before hydration the browser follows it. */
export function Link({ to, ...rest }: LinkProps) {
  return <a {...rest} href={to} />;
}

type TextLinkProps = Omit<ComponentProps<'a'>, 'href'> & { href: string };

/** A link in running text. External URLs open in a new tab. */
export function TextLink({ href, className, ...rest }: TextLinkProps) {
  const classes = clsx('text-link', className);
  const isInternal = /^\/(?![/\\])/.test(href) || href.startsWith('#') || href.startsWith('mailto:');
  if (isInternal) return <a {...rest} href={href} className={classes} />;
  return <a {...rest} href={href} className={classes} target="_blank" rel="noopener noreferrer" />;
}

type SwitchProps = Omit<ComponentProps<'input'>, 'type' | 'role' | 'onChange' | 'checked'> & {
  checked: boolean;
  onCheckedChange: (checked: boolean) => void;
};

/**
 * A native checkbox with the role of a switch: it works before hydration and has no inline style, which the content
 * security policy forbids. Give it an `id` and a `Label`, or an `aria-label`.
 */
export function Switch({ checked, onCheckedChange, className, ...rest }: SwitchProps) {
  return (
    <input
      {...rest}
      type="checkbox"
      // biome-ignore lint/a11y/useAriaPropsForRole: a native checkbox exposes its checked state
      role="switch"
      checked={checked}
      onChange={(event) => onCheckedChange(event.target.checked)}
      className={clsx('switch', className)}
    />
  );
}
