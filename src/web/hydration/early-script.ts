import { PAGE_ELEMENTS } from '#contract/page';
import type { EarlyDeeds } from './early-events.ts';

/* The small script inside the document. Apart from what the page itself runs, which would carry it to the browser again. */

/** Its source is all that reaches the document: it must not use anything outside itself. */
function watchEarly() {
  // Noted before anything is drawn, so that no button comes or goes when the page takes over.
  const lacks = [
    !('capture' in HTMLInputElement.prototype) && 'camera',
    !('clipboard' in navigator && 'read' in navigator.clipboard) && 'clipboard',
  ];
  document.documentElement.dataset.lacks = lacks.filter(Boolean).join(' ');
  const noting = new AbortController();
  const guarding = new AbortController();
  const deeds: EarlyDeeds = { pressed: null, switched: new Map(), typed: new Set() };
  let status: HTMLElement | null = null;

  const on = <T extends keyof DocumentEventMap>(
    type: T,
    until: AbortController,
    listener: (event: DocumentEventMap[T]) => void,
  ) => document.addEventListener(type, listener, { capture: true, signal: until.signal });
  const say = (words: string) => {
    if (!status) {
      status = document.createElement('p');
      status.className = 'early-status';
      status.setAttribute('role', 'status');
      document.body.append(status);
    }
    status.textContent = words;
  };
  const picker = () => document.querySelector<HTMLInputElement>('input[type=file]');
  const mark = (pressed: HTMLElement | null) => {
    deeds.pressed?.removeAttribute('data-pressed-early');
    deeds.pressed = pressed;
    pressed?.setAttribute('data-pressed-early', '');
  };

  on('click', noting, ({ target }) => {
    const button = target instanceof Element ? target.closest('button') : null;
    if (!button) return;
    const input = picker();
    if (input && button.hasAttribute('data-opens-camera')) {
      // A browser opens the camera only in the very moment of the press.
      input.capture = 'environment';
      input.click();
      input.removeAttribute('capture');
      return;
    }
    mark(button);
    say('One moment, the page is still loading. What you pressed is kept.');
  });
  // Without the scripts a form would send what was typed with the address.
  on('submit', noting, (event) => event.preventDefault());
  on('input', noting, ({ target }) => {
    if (target instanceof HTMLInputElement && !['checkbox', 'radio', 'file'].includes(target.type))
      deeds.typed.add(target);
  });
  on('change', noting, ({ target }) => {
    if (!(target instanceof HTMLInputElement)) return;
    if (target.type === 'checkbox') deeds.switched.set(target, target.checked);
    else if (target.files?.[0]) say('One moment, the page is still loading. Your picture is kept.');
  });

  // A file that is let go above the page would take the page's place; the file field keeps it.
  const keep = (event: Event, data: DataTransfer | null) => {
    const input = picker();
    if (!input || !data || ![...data.types].includes('Files')) return;
    event.preventDefault();
    if (event.type === 'dragover' || data.files.length === 0) return;
    input.files = data.files;
    say('One moment, the page is still loading. Your picture is kept.');
  };
  on('dragover', guarding, (event) => keep(event, event.dataTransfer));
  on('drop', guarding, (event) => keep(event, event.dataTransfer));
  on('paste', guarding, (event) => {
    const { target, clipboardData } = event;
    const intoField = target instanceof Element && target.closest('textarea, input:not([type=file])');
    if (!intoField) keep(event, clipboardData);
  });

  const fail = () => say('This page did not load completely. Check your connection and load it again.');
  window.addEventListener(
    'error',
    ({ target }) => {
      if (target instanceof HTMLScriptElement) fail();
    },
    { capture: true, signal: guarding.signal },
  );

  window.earlyWatch = {
    take() {
      noting.abort();
      const { pressed, switched, typed } = deeds;
      mark(null);
      return { pressed, switched, typed };
    },
    release() {
      guarding.abort();
      status?.remove();
    },
    fail,
  };
}

/**
 * Asks for the scripts of a page once what the server drew is on the screen: they would take the line from the fonts, and on
 * a fast one come before the first picture and hold it up. A page that nobody looks at draws nothing. Each in a task of its
 * own: on a phone all of them together would keep whoever begins to scroll waiting. As a text, because builds rewrite what
 * imports.
 */
const START_WHEN_SEEN = `document.addEventListener("DOMContentLoaded", () => {
  const [entry, ...modules] = JSON.parse(document.getElementById("${PAGE_ELEMENTS.scripts}").textContent);
  const ask = (href) => {
    const link = document.createElement("link");
    document.head.append(Object.assign(link, { rel: "modulepreload", href, fetchPriority: "low" }));
  };
  const start = () => {
    for (const href of modules.splice(0)) setTimeout(ask, 0, href);
    setTimeout(() => import(entry).catch(() => window.earlyWatch?.fail()));
  };
  const unseen = setTimeout(start, 100);
  requestAnimationFrame(() => {
    clearTimeout(unseen);
    setTimeout(start);
  });
})`;

/** The script's source, for the document's head. */
export const EARLY_SCRIPT = `(${watchEarly.toString()})();${START_WHEN_SEEN}`;
