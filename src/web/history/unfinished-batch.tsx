import { Alert } from '../ui/basics/alert.tsx';
import { Button } from '../ui/basics/button.tsx';
import { focusInstead } from '../ui/basics/events.ts';
import { counted } from '../ui/basics/words.ts';
import { toast } from '../ui/toast/toast-store.ts';
import { deleteBatch, loadBatch, type UnfinishedBatch, type UnfinishedSummary } from './batch-store.ts';

interface UnfinishedBatchNoticeProps {
  batch: UnfinishedSummary;
  /** Called after the batch was opened or deleted. */
  onRemoved: () => void;
  /** Rejects if the batch cannot be opened now. */
  onResume: (left: UnfinishedBatch) => Promise<void>;
}

/** Offers to open or remove pictures that were chosen, but not read when the page was left. */
export function UnfinishedBatchNotice({ batch, onRemoved, onResume }: UnfinishedBatchNoticeProps) {
  const { id, names, isPicture } = batch;
  const resume = async () => {
    const fail = (title: string, description: string) =>
      toast({ title, description, variant: 'destructive' });
    const entries = await loadBatch(id).catch(() => []);
    if (entries.length === 0) {
      onRemoved();
      const what = isPicture ? 'This picture was' : 'These pictures were';
      return fail('Not kept any more', `${what} removed, perhaps in another tab.`);
    }
    try {
      await onResume({ id, isPicture, entries });
    } catch {
      return fail('The list could not be opened', 'Check your connection and try again.');
    }
    onRemoved();
    // A picture that is chosen again is stored under a new ID.
    if (isPicture) await deleteBatch(id).catch(() => {});
  };
  const remove = async () => {
    await deleteBatch(id).catch(() => {});
    onRemoved();
    toast({
      title: 'Removed',
      description: `${isPicture ? 'The picture is' : 'The pictures are'} not kept in this browser any more.`,
    });
    focusInstead(() => null);
  };
  return (
    <Alert
      className="mt-5"
      title={
        isPicture
          ? 'The picture that you chose last waits to be read'
          : `${counted(names.length, 'picture')} of your last list ${names.length === 1 ? 'waits' : 'wait'} to be read`
      }
      action={
        <div className="flex flex-wrap gap-2">
          <Button variant="secondary" size="small" onClick={() => void resume()}>
            {isPicture ? 'Choose it again' : 'Open the list'}
          </Button>
          <Button variant="ghost" size="small" onClick={() => void remove()}>
            Remove
          </Button>
        </div>
      }
    >
      <span className="line-clamp-2 break-words">{names.join(', ')}</span>
    </Alert>
  );
}
