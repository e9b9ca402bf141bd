import { type ComponentType, type ReactNode, useEffect, useEffectEvent, useState } from 'react';

/*
 * Code that is loaded after the page, and parts of a page that need no code in the browser.
 */

const inBrowser = typeof document !== 'undefined';
let hydrating = false;

export function beginHydration(): void {
  hydrating = true;
}

export function endHydration(): void {
  hydrating = false;
}

/** True on the server and during hydration, which must render the same markup. */
export const isInitialRender = (): boolean => !inBrowser || hydrating;

export interface LazyModule<T> {
  /** Undefined until the module is loaded. */
  get: () => T | undefined;
  load: () => Promise<T>;
}

/** Code that is loaded when it is first needed. After a failure, the next `load` tries again. */
export function lazyModule<T>(open: () => Promise<T>): LazyModule<T> {
  let loaded: T | undefined;
  return {
    get: () => loaded,
    async load() {
      loaded ??= await open();
      return loaded;
    },
  };
}

interface LazyOptions {
  /** Nothing is loaded while this is false. */
  enabled?: boolean;
  /** A new value retries after a failure. */
  attempt?: unknown;
  onFailure?: () => void;
}

/** Undefined while the module loads, on the server and during hydration; null if loading failed. */
export function useLazy<T>(
  { get, load }: LazyModule<T>,
  { enabled = true, attempt, onFailure }: LazyOptions = {},
): T | null | undefined {
  const [part, setPart] = useState<T | null | undefined>(() =>
    enabled && !isInitialRender() ? get() : undefined,
  );
  const notifyFailure = useEffectEvent(() => onFailure?.());
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new value of `attempt` retries
  useEffect(() => {
    if (!enabled) return;
    let isCancelled = false;
    load().then(
      (loaded) => isCancelled || setPart(() => loaded),
      () => {
        if (isCancelled) return;
        setPart(null);
        notifyFailure();
      },
    );
    return () => {
      isCancelled = true;
      setPart((before) => before ?? undefined);
    };
  }, [load, enabled, attempt]);
  return part;
}

export type LazyComponent<Props extends object> = ((props: Props) => ReactNode) & {
  preload: () => Promise<unknown>;
};

/** A component whose code is loaded on first render. `fallback` is shown until then and after a failure. */
export function lazyComponent<Props extends object>(
  open: () => Promise<ComponentType<Props>>,
  { fallback = null }: { fallback?: ReactNode } = {},
): LazyComponent<Props> {
  const module = lazyModule(async () => ({ Part: await open() }));
  // biome-ignore lint/correctness/noComponentHookFactories: called at the top of a module, once for each component
  function Lazy(props: Props) {
    const loaded = useLazy(module);
    return loaded ? <loaded.Part {...props} /> : fallback;
  }
  return Object.assign(Lazy, { preload: module.load });
}

export interface StaticPart<Props extends object = object> {
  (props: Props): ReactNode;
  /** Must finish before the part is rendered on the server, or in the browser after a navigation. */
  load: () => Promise<unknown>;
}

/** React does not hydrate the content of an element with this property. */
const KEEP_MARKUP = { __html: '' };

/**
 * A read-only part of a page. The server renders it; the browser keeps that markup without the part's code or data. Links
 * in it work, because the router listens at the document. Other event handlers do not.
 */
export function withoutHydration<Props extends object>(
  open: () => Promise<ComponentType<Props>>,
): StaticPart<Props> {
  const module = lazyModule(async () => ({ Part: await open() }));
  const lazily = { Part: lazyComponent(async () => (await module.load()).Part) };

  // biome-ignore lint/correctness/noComponentHookFactories: called at the top of a module, once for each part
  function Static(props: Props) {
    const [hasMarkup] = useState(() => inBrowser && hydrating);
    if (hasMarkup) {
      // biome-ignore lint/security/noDangerouslySetInnerHtml: nothing is set; an empty string makes React skip the subtree
      return <div className="contents" suppressHydrationWarning dangerouslySetInnerHTML={KEEP_MARKUP} />;
    }
    const { Part } = module.get() ?? lazily;
    return (
      <div className="contents">
        <Part {...props} />
      </div>
    );
  }
  return Object.assign(Static, { load: module.load });
}
