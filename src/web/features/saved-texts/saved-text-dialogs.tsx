import { useMutation, useQueryClient } from '@tanstack/react-query';
import { reasonOf } from '../../api/client.ts';
import { ConfirmActions, LazyDialog } from '../../ui/dialog/lazy-dialog.tsx';
import { toastError } from '../../ui/toast/toast-store.ts';
import { NameForm } from './name-form.tsx';
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
    <LazyDialog {...dialog} title="Rename this text">
      <RenameForm
        saved={saved}
        onDone={(name) => {
          onRenamed?.(name);
          dialog.onOpenChange(false);
        }}
      />
    </LazyDialog>
  );
}

function RenameForm({ saved, onDone }: { saved: Named; onDone: (name: string) => void }) {
  const queries = useQueryClient();
  return (
    <NameForm
      initial={saved.name}
      action="Rename"
      send={(name) => renameSavedText(saved.id, name)}
      onSent={async (name) => {
        await refreshSavedTexts(queries);
        onDone(name);
      }}
      failure="The text could not be renamed."
    />
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
    <LazyDialog {...dialog} title="Delete this text?" description={`“${saved.name}” cannot be restored.`}>
      <ConfirmActions
        onKeep={close}
        action="Delete"
        working="Deleting..."
        busy={isPending}
        onAct={() => mutate()}
      />
    </LazyDialog>
  );
}
