import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { SavedReading } from '#contract/saved-text';
import { savedTexts } from '../../api/client.ts';
import { Button } from '../../ui/basics/button.tsx';
import { Dialog } from '../../ui/dialog/dialog.tsx';
import { toast } from '../../ui/toast/toast-store.ts';
import { NameForm } from './name-form.tsx';
import { refreshSavedTexts } from './saved-texts-calls.ts';

interface SaveTextProps {
  text: () => string;
  isEmpty: boolean;
  language: string;
  /** The initial name, without its extension. */
  fileName: string;
  /** The recognition result; undefined for a plain text. */
  reading: () => Promise<SavedReading | undefined>;
  /** The number of doubtful words that are left. */
  doubtful: number;
}

export function SaveText({ isEmpty, ...saved }: SaveTextProps) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button variant="secondary" className="max-md:flex-1" disabled={isEmpty} onClick={() => setOpen(true)}>
        Save text
      </Button>
      <Dialog
        open={open}
        onOpenChange={setOpen}
        title="Save this text"
        description="The text is stored in your account with its tables and layout. The picture is not stored."
      >
        <SaveForm {...saved} onDone={() => setOpen(false)} />
      </Dialog>
    </>
  );
}

function SaveForm({
  text,
  language,
  fileName,
  reading,
  doubtful,
  onDone,
}: Omit<SaveTextProps, 'isEmpty'> & { onDone: () => void }) {
  const queries = useQueryClient();
  return (
    <NameForm
      initial={fileName.replace(/\.[^.]*$/, '')}
      action="Save text"
      send={async (name) =>
        savedTexts.send('POST /api/texts', {
          body: { name, text: text(), language, reading: await reading(), doubtful },
        })
      }
      onSent={async () => {
        toast({ title: 'Saved', description: 'You can continue with it in your account.' });
        onDone();
        await refreshSavedTexts(queries);
      }}
      failure="The text could not be saved. Please try again."
    />
  );
}
