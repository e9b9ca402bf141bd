import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { reasonOf } from '../../api.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { LastQuestion } from '../../ui/last-question.tsx';
import { toastError } from '../../ui/toast-store.ts';
import { useForm } from '../../ui/use-form.ts';
import { deleteSavedText, refreshSavedTexts, renameSavedText } from './saved-texts-calls.ts';

interface Named {
  id: string;
  name: string;
}

interface RenameDialogProps {
  saved: Named;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  onRenamed?: (name: string) => void;
}

export function RenameDialog({ saved, onRenamed, ...dialog }: RenameDialogProps) {
  return (
    <Dialog {...dialog} title="Rename this text">
      <RenameForm
        saved={saved}
        onDone={(name) => {
          onRenamed?.(name);
          dialog.onOpenChange(false);
        }}
      />
    </Dialog>
  );
}

function RenameForm({ saved, onDone }: { saved: Named; onDone: (name: string) => void }) {
  const queries = useQueryClient();
  const [name, setName] = useState(saved.name);
  const form = useForm<'name', Response>({
    check: () => (name.trim() === '' ? { message: 'Please give the text a name', fields: ['name'] } : null),
    send: () => renameSavedText(saved.id, name.trim()),
    onSuccess: async () => {
      await refreshSavedTexts(queries);
      onDone(name.trim());
    },
    explain: (error) => reasonOf(error, 'The text could not be renamed.'),
  });
  return (
    <Form form={form} action="Rename" working="Saving...">
      <TextField
        label="Name"
        name="name"
        maxLength={200}
        autoComplete="off"
        data-first-focus
        value={name}
        onValue={setName}
        error={form.errorOf('name')}
      />
    </Form>
  );
}

interface DeleteDialogProps {
  saved: Named;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  onDeleted?: () => void;
}

export function DeleteDialog({ saved, onDeleted, ...dialog }: DeleteDialogProps) {
  const queries = useQueryClient();
  const close = () => dialog.onOpenChange(false);
  const { mutate, isPending } = useMutation({
    mutationFn: () => deleteSavedText(saved.id),
    onSuccess: async () => {
      close();
      onDeleted?.();
      await refreshSavedTexts(queries);
    },
    onError: async (error) => toastError(await reasonOf(error, 'The text could not be deleted.')),
  });
  return (
    <Dialog {...dialog} title="Delete this text?" description={`“${saved.name}” cannot be brought back.`}>
      <LastQuestion
        onKeep={close}
        action="Delete"
        working="Deleting..."
        busy={isPending}
        onAct={() => mutate()}
      />
    </Dialog>
  );
}
