import { clsx } from 'clsx';
import type { ComponentProps } from 'react';

type SwitchProps = Omit<ComponentProps<'input'>, 'type' | 'role' | 'onChange' | 'checked'> & {
  checked: boolean;
  onCheckedChange: (checked: boolean) => void;
};

/**
 * A native checkbox in the role of a switch: works before hydration, and puts no inline style into the
 * server's markup as a library's hidden form control would. Give it an `id` and a `Label`, or an `aria-label`.
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
