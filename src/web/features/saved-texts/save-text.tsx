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
  /** Proposes the name. */
  fileName: string;
  /** What it was read as; undefined for one that is kept as a text alone. */
  reading: () => Promise<SavedReading | undefined>;
  /** How many doubtful words are left. */
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
        description="It goes to your account, with its tables and layout, under the name you give it. The picture is not kept."
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
