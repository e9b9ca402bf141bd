import { useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, use, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { lazyModule, useLazy } from '../hydration/lazy.tsx';
import { useLocation, useNavigate } from '../router/router.tsx';
import { paymentQuery, userQuery } from '../session/queries.ts';
import { useSite } from '../site/site.tsx';
import { usePageRestored } from '../ui/basics/browser-state.ts';
import { useEventCallback } from '../ui/basics/events.ts';
import { dismiss, toastError } from '../ui/toast/toast-store.ts';
import { type DialogRequest, type DialogTrigger, dialogFor } from './dialog-for.ts';

interface Dialogs {
  /** Opens the dialog for a trigger. Returns false if the trigger has none. */
  openFor: (trigger: DialogTrigger) => boolean;
  open: (request: DialogRequest) => void;
}

const NOT_LOADED = 'This could not be loaded. Check your connection and try again.';

const dialogHost = lazyModule(() => import('./dialog-host.tsx'));

const DialogsContext = createContext<Dialogs | null>(null);

export function useDialogs(): Dialogs {
  const dialogs = use(DialogsContext);
  if (!dialogs) throw new Error('useDialogs needs a DialogsProvider above it');
  return dialogs;
}

/** Shows one dialog at a time. Its code is loaded with the first one. */
export function DialogsProvider({ children }: { children: ReactNode }) {
  const site = useSite();
  const queries = useQueryClient();
  const [current, setCurrent] = useState<DialogRequest | null>(null);
  const [email, setEmail] = useState<string | null>(null);
  const { isOpen, remember, opener } = useOpener(current !== null);
  const host = useLazy(dialogHost, {
    enabled: current !== null,
    attempt: current,
    onFailure() {
      setCurrent(null);
      toastError(NOT_LOADED);
    },
  });

  const open = useCallback(
    (request: DialogRequest) => {
      if (!isOpen()) remember();
      // An older toast would cover the dialog.
      dismiss();
      setCurrent(request);
    },
    [isOpen, remember],
  );
  const dialogs = useMemo<Dialogs>(
    () => ({
      open,
      openFor: (trigger) => {
        const user = queries.getQueryData(userQuery.queryKey) ?? null;
        const request = dialogFor(trigger, { availability: site.premiumAvailability, user });
        if (request) open(request);
        return request !== null;
      },
    }),
    [open, queries, site],
  );
  useUrlAction(open, setEmail);
  useRefetchPaymentOnReturn();

  return (
    <DialogsContext value={dialogs}>
      {children}
      {current && !host && (
        <p role="status" className="early-status">
          One moment, this is still loading.
        </p>
      )}
      {host && (
        <host.DialogHost
          current={current}
          onOpen={open}
          onClose={() => setCurrent(null)}
          email={email}
          onEmail={setEmail}
          opener={opener}
        />
      )}
    </DialogsContext>
  );
}

/** Whether a URL may contain an action. Most URLs have only an anchor or nothing. */
const mayHoldAction = (search: string, hash: string): boolean =>
  /[?&](?:payment|auth)=/.test(search) || /^#[a-z]+=/.test(hash);

/** Fetches the payment's state again if the browser shows the page from its cache after a visit to the payment provider. */
function useRefetchPaymentOnReturn() {
  const queries = useQueryClient();
  const refetch = useCallback(() => void queries.invalidateQueries(paymentQuery), [queries]);
  usePageRestored(refetch);
  useEffect(() => {
    const [navigation] = performance.getEntriesByType('navigation');
    if (navigation && 'type' in navigation && navigation.type === 'back_forward') refetch();
  }, [refetch]);
}

/** Remembers the element that opened the first of a chain of dialogs. It gets the focus back after the last one. */
function useOpener(open: boolean) {
  const element = useRef<HTMLElement | null>(null);
  const isOpen = useEventCallback(() => open);
  return useMemo(() => {
    return {
      isOpen,
      remember: () => {
        const { activeElement } = document;
        element.current = activeElement instanceof HTMLElement ? activeElement : null;
      },
      opener: () => (isOpen() ? null : element.current),
    };
  }, [isOpen]);
}

/** Runs the action in the URL once, and removes it from the URL. */
function useUrlAction(open: (request: DialogRequest) => void, rememberEmail: (email: string) => void) {
  const { pathname, search, hash } = useLocation();
  const navigate = useNavigate();
  const site = useSite();
  const queries = useQueryClient();

  useEffect(() => {
    if (search === '' && hash === '') return;
    let stale = false;
    Promise.all([import('./parse-url-action.ts'), import('./run-url-action.ts')]).then(
      ([{ parseUrlAction }, { runUrlAction }]) => {
        const action = stale ? null : parseUrlAction({ search, hash });
        if (!action) return;
        stale = true;
        if (action.kind === 'link') {
          void navigate(action.page, { replace: true, state: { token: action.token } });
          return;
        }
        void navigate(pathname, { replace: true });
        runUrlAction(action, { site, queries, open, rememberEmail });
      },
      // The URL keeps its action, so that reloading the page runs it.
      () => {
        if (!stale && mayHoldAction(search, hash)) toastError(NOT_LOADED);
      },
    );
    return () => {
      stale = true;
    };
  }, [pathname, search, hash, navigate, site, queries, open, rememberEmail]);
}
