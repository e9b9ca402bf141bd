import type { ComponentProps } from 'react';
import { classNames } from './class-names.ts';

type LabelProps = ComponentProps<'label'> & { htmlFor: string };

export function Label({ className, htmlFor, ...rest }: LabelProps) {
  // biome-ignore lint/a11y/noLabelWithoutControl: `htmlFor` is required, the control stands elsewhere
  return <label {...rest} htmlFor={htmlFor} className={classNames('font-medium', className)} />;
}
