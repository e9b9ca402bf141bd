import { useEffect, useState } from 'react';
import { Alert } from '../ui/basics/alert.tsx';
import { Button } from '../ui/basics/button.tsx';
import { counted } from '../ui/basics/words.ts';
import { toast } from '../ui/toast/toast-store.ts';
import { deleteBatch, findUnfinished, type UnfinishedBatch as Left } from './batch-store.ts';

interface UnfinishedBatchNoticeProps {
  /** A username; empty while signed out. */
  person: string;
  /** Changes with what is listed: a reason to look again. */
  occasion: unknown;
  onGoOn: (left: Left) => void;
}

/** Pictures that were chosen together and not read when the page was left: offered again. Nothing where there are none. */
export function UnfinishedBatchNotice({ person, occasion, onGoOn }: UnfinishedBatchNoticeProps) {
  const [left, setLeft] = useState<Left | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: an occasion is a reason to look again
  useEffect(() => {
    let gone = false;
    findUnfinished(person).then(
      (found) => gone || setLeft(found),
      () => {},
    );
    return () => {
      gone = true;
    };
  }, [person, occasion]);
  if (!left) return null;
  const { id, names, picture } = left;
  const remove = async () => {
    await deleteBatch(id).catch(() => {});
    setLeft(null);
    toast({
      title: 'Removed',
      description: `${picture ? 'The picture is' : 'The pictures are'} not kept in this browser any more.`,
    });
    requestAnimationFrame(() => document.querySelector('main')?.focus());
  };
  return (
    <Alert
      className="mt-5"
      title={
        picture
          ? 'The picture that you chose last waits to be read'
          : `${counted(names.length, 'picture')} of your last list ${names.length === 1 ? 'waits' : 'wait'} to be read`
      }
      action={
        <div className="flex flex-wrap gap-2">
          <Button variant="secondary" size="small" onClick={() => onGoOn(left)}>
            {picture ? 'Choose it again' : 'Open the list'}
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
