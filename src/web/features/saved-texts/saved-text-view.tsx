import { useQuery } from '@tanstack/react-query';
import { type ComponentType, type KeyboardEvent, type ReactNode, useRef, useState } from 'react';
import { longDate } from '#contract/long-date';
import { PAGES } from '#contract/paths';
import type { WholeText } from '#contract/saved-text';
import { isInitialRender, lazyModule, useLazy } from '../../hydration/lazy.tsx';
import { useNavigate } from '../../router/router.tsx';
import { Alert } from '../../ui/basics/alert.tsx';
import { Button, ButtonLink } from '../../ui/basics/button.tsx';
import { Skeleton } from '../../ui/basics/display.tsx';
import { afterDialogs } from '../../ui/dialog/dialog-history.ts';
import { CouldNotLoad } from '../../ui/forms/form.tsx';
import { toast } from '../../ui/toast/toast-store.ts';
import type { TextWorkspaceHandle, TextWorkspaceProps } from '../../workspace/text-workspace.tsx';
import type { AutosaveState } from './autosave.ts';
import { DeleteDialog, RenameDialog } from './saved-text-dialogs.tsx';
import { savedTextQuery } from './saved-texts-calls.ts';
import { useAutosave } from './use-autosave.ts';

const workspace = lazyModule(async () => (await import('../../workspace/text-workspace.tsx')).TextWorkspace);

interface SavedTextViewProps {
  id: string;
  owner: string;
  onUpgrade: () => void;
}

export function SavedTextView({ id, owner, onUpgrade }: SavedTextViewProps) {
  const [isServerRendered] = useState(isInitialRender);
  const Workspace = useLazy(workspace);
  const { data: saved, isError, refetch, isFetchedAfterMount } = useQuery(savedTextQuery(id));
  if (isError) {
    return <CouldNotLoad onTryAgain={() => refetch()}>This text could not be loaded.</CouldNotLoad>;
  }
  // A cached text may be outdated.
  if (saved === undefined || !(isServerRendered || isFetchedAfterMount))
    return <Skeleton className="h-120" />;
  if (saved === null) {
    return (
      <div className="grid justify-items-start gap-5">
        <h1 className="text-3xl">No such text</h1>
        <p className="text-ink-soft">It was deleted, or it belongs to another account.</p>
        <ButtonLink to={PAGES.texts} variant="secondary">
          Your saved texts
        </ButtonLink>
      </div>
    );
  }
  if (Workspace === null) throw new Error('The workspace could not be loaded');
  if (!Workspace) return <Skeleton className="h-120" />;
  return <OpenSavedText key={id} first={saved} owner={owner} onUpgrade={onUpgrade} Workspace={Workspace} />;
}

interface OpenSavedTextProps extends Omit<SavedTextViewProps, 'id'> {
  first: WholeText;
  Workspace: ComponentType<TextWorkspaceProps>;
}

function OpenSavedText({ first, owner, onUpgrade, Workspace }: OpenSavedTextProps) {
  // A change by another page must not replace the text that is being edited.
  const [saved] = useState(first);
  const [name, setName] = useState(first.name);
  const [opened, setOpened] = useState<'name' | 'deletion' | null>(null);
  const workspaceHandle = useRef<TextWorkspaceHandle>(null);
  const navigate = useNavigate();
  const autosave = useAutosave({
    saved,
    owner,
    rewrite: (text) => workspaceHandle.current?.rewrite(text),
    kept: () => workspaceHandle.current?.workToSave() ?? null,
  });
  const dialog = (which: 'name' | 'deletion') => ({
    saved: { id: saved.id, name },
    open: opened === which,
    onOpenChange: (open: boolean) => setOpened(open ? which : null),
  });
  const action = (label: string, which: 'name' | 'deletion') => (
    <Button variant="secondary" className="max-md:flex-1 max-md:px-3" onClick={() => setOpened(which)}>
      {label}
    </Button>
  );
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key.toLowerCase() !== 's' || !(event.ctrlKey || event.metaKey) || event.altKey) return;
    // The browser would save the page.
    event.preventDefault();
    autosave.saveNow();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: a shortcut for saving, which is automatic anyway
    <div onKeyDown={onKeyDown}>
      <Workspace
        text={saved.text}
        reading={saved.reading}
        language={saved.language}
        name={name}
        handle={workspaceHandle}
        onText={autosave.setText}
        onOtherChange={autosave.markChanged}
        onUpgrade={onUpgrade}
        heading={
          <>
            <h1 className="text-2xl wrap-anywhere">{name}</h1>
            <p className="mt-1 flex flex-wrap gap-x-3 text-sm text-ink-soft">
              <span className="tabular-nums">{longDate(saved.createdAt)}</span>
              <AutosaveStatus state={autosave.state} />
            </p>
          </>
        }
        actions={
          <>
            {action('Rename', 'name')}
            {action('Delete', 'deletion')}
          </>
        }
        notice={<Notice {...autosave} />}
      />
      <RenameDialog {...dialog('name')} onRenamed={setName} />
      <DeleteDialog
        {...dialog('deletion')}
        onDeleted={() => {
          toast({ title: 'Deleted', description: `“${name}” has been deleted.` });
          afterDialogs(() => void navigate(PAGES.texts, { replace: true }));
        }}
      />
    </div>
  );
}

const STATUS_TEXTS = {
  saved: 'Saved',
  saving: 'Saving…',
  waiting: 'Not saved yet',
  refused: 'Not saved',
  conflict: 'Not saved',
} as const satisfies Record<AutosaveState['status'], string>;

/** The state in one or two words. "Saving…" is not announced, because that would happen at every pause in typing. */
function AutosaveStatus({ state: { status } }: { state: AutosaveState }) {
  const [announced, setAnnounced] = useState('');
  const words = STATUS_TEXTS[status];
  const [last, setLast] = useState(status);
  if (last !== status) {
    setLast(status);
    if (status !== 'saving') setAnnounced(words);
  }
  return (
    <>
      <span
        data-autosave={status}
        className="font-medium text-ink"
        aria-hidden={announced !== '' || undefined}
      >
        {words}
      </span>
      <span role="status" className="sr-only">
        {announced}
      </span>
    </>
  );
}

type NoticeProps = Pick<
  ReturnType<typeof useAutosave>,
  'state' | 'isAtRisk' | 'isRestored' | 'isChoosing' | 'saveNow' | 'choose'
>;

/** The notice of a conflict, a failed save or a restored draft, with buttons. */
function Notice({ state, isAtRisk, isRestored, isChoosing, saveNow, choose }: NoticeProps) {
  const button = (label: string, onClick: () => void, busy = false) => (
    <Button variant="secondary" size="small" busy={busy} onClick={onClick}>
      {label}
    </Button>
  );
  if (state.status === 'conflict') {
    return (
      <Bar>
        <Alert
          tone="warning"
          title="This text was changed in another tab or on another device"
          action={
            <div className="flex flex-wrap gap-2">
              {button('Keep mine', () => void choose('mine'), isChoosing)}
              {button('Use the other', () => void choose('other'), isChoosing)}
            </div>
          }
        >
          Your text is shown here and stored in this browser. Undo restores the text that you do not choose.
        </Alert>
      </Bar>
    );
  }
  if (state.status === 'waiting' || state.status === 'refused') {
    return (
      <Bar>
        <Alert tone="warning" title={state.reason} action={button('Try again', saveNow)}>
          {isAtRisk
            ? 'This browser has no space to store your text: copy or download it before you leave.'
            : state.status === 'waiting'
              ? 'Your text is stored in this browser, and is saved as soon as the server can be reached.'
              : 'Your text is stored in this browser. You can also copy or download it.'}
        </Alert>
      </Bar>
    );
  }
  if (!isRestored) return null;
  return (
    <Bar>
      <Alert title="Your last edits were restored">
        They could not be saved on your last visit. Undo removes them.
      </Alert>
    </Bar>
  );
}

const Bar = ({ children }: { children: ReactNode }) => (
  <div className="border-b border-rule p-4">{children}</div>
);
