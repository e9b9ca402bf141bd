import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { longDate } from '#contract/long-date';
import type { SavedText } from '#contract/saved-text';
import { reasonOf } from '../../api.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TextArea, TextField } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { LastQuestion } from '../../ui/last-question.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { toast, toastError } from '../../ui/toast-store.ts';
import { useForm } from '../../ui/use-form.ts';
import { formatBytes } from './format-bytes.ts';
import { deleteSavedText, readSavedText, refreshSavedTexts, renameSavedText } from './saved-texts-calls.ts';

type Opened = 'text' | 'name' | 'deletion' | null;

/** One saved text in the list, and what can be done with it. */
export function SavedTextEntry({ saved }: { saved: SavedText }) {
  const [opened, setOpened] = useState<Opened>(null);
  const reading = useMutation({ mutationFn: () => readSavedText(saved.id) });
  const dialog = (which: Opened) => ({
    open: opened === which,
    onOpenChange: (open: boolean) => setOpened(open ? which : null),
  });
  const close = () => setOpened(null);
  return (
    <li className="border-t border-rule py-4">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <h3 className="min-w-0 text-xl wrap-anywhere">{saved.name}</h3>
        <p className="text-sm text-ink-soft tabular-nums">
          {longDate(saved.createdAt)}, {formatBytes(saved.bytes)}
        </p>
      </div>
      <p className="mt-1 line-clamp-2 font-mono text-sm wrap-anywhere text-ink-soft">{saved.preview}</p>
      <div className="mt-2 flex flex-wrap gap-x-5">
        <Action
          label="Open"
          name={saved.name}
          onPress={() => {
            setOpened('text');
            reading.mutate();
          }}
        />
        <Action label="Rename" name={saved.name} onPress={() => setOpened('name')} />
        <Action label="Delete" name={saved.name} onPress={() => setOpened('deletion')} />
      </div>
      <Dialog {...dialog('text')} title={saved.name} className="max-w-2xl">
        <Reader name={saved.name} text={reading.data} failed={reading.isError} />
      </Dialog>
      <Dialog {...dialog('name')} title="Rename this text">
        <RenameForm saved={saved} onDone={close} />
      </Dialog>
      <Dialog
        {...dialog('deletion')}
        title="Delete this text?"
        description={`“${saved.name}” cannot be brought back.`}
      >
        <Deletion id={saved.id} onDone={close} />
      </Dialog>
    </li>
  );
}

function Action({ label, name, onPress }: { label: string; name: string; onPress: () => void }) {
  return (
    <Button variant="quiet" className="min-h-11" aria-label={`${label} ${name}`} onClick={onPress}>
      {label}
    </Button>
  );
}

function Reader({ name, text, failed }: { name: string; text: string | undefined; failed: boolean }) {
  if (failed) return <Alert tone="danger">The text could not be loaded.</Alert>;
  if (text === undefined) return <Skeleton className="h-60" />;
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      toast({ title: 'Copied!', description: 'Text copied to clipboard' });
    } catch {
      toast({
        title: 'Copy failed',
        description: 'Please select and copy the text manually',
        variant: 'destructive',
      });
    }
  };
  return (
    <div className="grid gap-4">
      <TextArea readOnly aria-label={name} value={text} rows={14} />
      <Button className="justify-self-start" onClick={copy}>
        Copy
      </Button>
    </div>
  );
}

function RenameForm({ saved, onDone }: { saved: SavedText; onDone: () => void }) {
  const queries = useQueryClient();
  const [name, setName] = useState(saved.name);
  const form = useForm<'name', Response>({
    check: () => (name.trim() === '' ? { message: 'Please give the text a name', fields: ['name'] } : null),
    send: () => renameSavedText(saved.id, name.trim()),
    onSuccess: async () => {
      await refreshSavedTexts(queries);
      onDone();
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

function Deletion({ id, onDone }: { id: string; onDone: () => void }) {
  const queries = useQueryClient();
  const { mutate, isPending } = useMutation({
    mutationFn: () => deleteSavedText(id),
    onSuccess: async () => {
      onDone();
      await refreshSavedTexts(queries);
    },
    onError: async (error) => toastError(await reasonOf(error, 'The text could not be deleted.')),
  });
  return (
    <LastQuestion
      onKeep={onDone}
      action="Delete"
      working="Deleting..."
      busy={isPending}
      onAct={() => mutate()}
    />
  );
}
