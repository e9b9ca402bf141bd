import { toast } from '../../ui/toast-store.ts';

/** Puts a text on the clipboard and says so; where that is not allowed, says what else can be done. False then. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    toast({
      title: 'Copy failed',
      description: 'Please select and copy the text manually',
      variant: 'destructive',
    });
    return false;
  }
  toast({ title: 'Copied!', description: 'Text copied to clipboard' });
  return true;
}
