import { toast } from '../../ui/toast-store.ts';

/** The error catalogue's default: a destructive toast titled Error. */
export function toastError(description: string): void {
  toast({ title: 'Error', description, variant: 'destructive' });
}
