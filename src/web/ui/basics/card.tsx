import type { ComponentProps } from 'react';
import { classNames } from './class-names.ts';

type CardProps = ComponentProps<'div'> & { as?: 'div' | 'section' | 'article' };

/** A sheet lying on the paper: one hairline, no shadow. Padding is the caller's through `CardBody`. */
export function Card({ as: Element = 'div', className, ...rest }: CardProps) {
  return <Element {...rest} className={classNames('rounded-sheet border border-rule bg-sheet', className)} />;
}

export function CardBody({ className, ...rest }: ComponentProps<'div'>) {
  return <div {...rest} className={classNames('p-5 md:p-6', className)} />;
}

/** The strip above a sheet's body that says what the sheet holds. */
export function CardHeader({ className, ...rest }: ComponentProps<'div'>) {
  return (
    <div
      {...rest}
      className={classNames(
        'flex flex-wrap items-center justify-between gap-3 border-b border-rule px-5 py-3 md:px-6',
        className,
      )}
    />
  );
}
