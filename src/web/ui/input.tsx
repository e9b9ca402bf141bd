import type { ComponentProps } from 'react';
import { classNames } from './class-names.ts';

const BOX =
  'w-full rounded-control border border-rule-strong bg-paper px-3 text-ink placeholder:text-ink-faint hover:border-ink aria-invalid:border-danger aria-invalid:bg-danger-wash disabled:border-dashed disabled:text-ink-faint';

export function Input({ className, ...rest }: ComponentProps<'input'>) {
  return <input {...rest} className={classNames(BOX, 'min-h-11', className)} />;
}

/** Recognised text is always set in the mono, so that l, 1 and I can be told apart. */
export function TextArea({ className, ...rest }: ComponentProps<'textarea'>) {
  return (
    <textarea {...rest} className={classNames(BOX, 'py-2.5 font-mono text-sm leading-relaxed', className)} />
  );
}
