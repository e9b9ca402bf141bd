import { PAGE_ELEMENTS } from '#contract/page';
import type { EarlyEvents } from './early-events.ts';

/* The small script inside the document. A module of its own, so that it is not part of the page's scripts as well. */

/** Only its source reaches the document: it must not use anything outside itself. */
function captureEarlyEvents() {
  // Set before anything is drawn, so that no button appears or disappears during hydration.
  const lacks = [
    !('capture' in HTMLInputElement.prototype || 'mediaDevices' in navigator) && 'camera',
    !('clipboard' in navigator && 'read' in navigator.clipboard) && 'clipboard',
  ];
  document.documentElement.dataset.lacks = lacks.filter(Boolean).join(' ');
  // A computer may have a camera or none. To list devices asks for no permission; a browser may refuse to.
  const devices = navigator.mediaDevices;
  const lookForCamera = async () => {
    const found = await devices.enumerateDevices().catch(() => []);
    document.documentElement.toggleAttribute(
      'data-has-camera',
      found.some(({ kind }) => kind === 'videoinput'),
    );
  };
  if (devices) {
    void lookForCamera();
    devices.addEventListener('devicechange', lookForCamera);
  }
  const capturing = new AbortController();
  const guarding = new AbortController();
  const events: EarlyEvents = { pressed: null, switched: new Map(), typed: new Set() };
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
    events.pressed?.removeAttribute('data-pressed-early');
    events.pressed = pressed;
    pressed?.setAttribute('data-pressed-early', '');
  };

  on('click', capturing, ({ target }) => {
    const button = target instanceof Element ? target.closest('button') : null;
    if (!button) return;
    const input = picker();
    if (input && 'capture' in input && button.hasAttribute('data-opens-camera')) {
      // A browser opens the system's camera only while it handles the press.
      input.capture = 'environment';
      input.click();
      input.removeAttribute('capture');
      return;
    }
    mark(button);
    say('One moment, the page is still loading. What you pressed is kept.');
  });
  // Without the scripts a form would send what was typed with the address.
  on('submit', capturing, (event) => event.preventDefault());
  on('input', capturing, ({ target }) => {
    if (target instanceof HTMLInputElement && !['checkbox', 'radio', 'file'].includes(target.type))
      events.typed.add(target);
  });
  on('change', capturing, ({ target }) => {
    if (!(target instanceof HTMLInputElement)) return;
    if (target.type === 'checkbox') events.switched.set(target, target.checked);
    else if (target.files?.[0]) say('One moment, the page is still loading. Your picture is kept.');
  });

  // The browser would open a dropped file in place of the page; the file field keeps it.
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

  window.earlyCapture = {
    take() {
      capturing.abort();
      const { pressed, switched, typed } = events;
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
 * Fetches the scripts of a page once the server's markup is painted: earlier they would compete with the fonts, and on a fast
 * connection delay the first picture. A hidden page paints nothing, hence the timer. Each fetch starts in a task of its own,
 * because all of them at once delay scrolling on a phone. As a text, because builds rewrite imports.
 */
const START_WHEN_SEEN = `document.addEventListener("DOMContentLoaded", () => {
  const [entry, ...modules] = JSON.parse(document.getElementById("${PAGE_ELEMENTS.scripts}").textContent);
  const ask = (href) => {
    const link = document.createElement("link");
    document.head.append(Object.assign(link, { rel: "modulepreload", href, fetchPriority: "low" }));
  };
  const start = () => {
    for (const href of modules.splice(0)) setTimeout(ask, 0, href);
    setTimeout(() => import(entry).catch(() => window.earlyCapture?.fail()));
  };
  const unseen = setTimeout(start, 100);
  requestAnimationFrame(() => {
    clearTimeout(unseen);
    setTimeout(start);
  });
})`;

export const EARLY_SCRIPT = `(${captureEarlyEvents.toString()})();${START_WHEN_SEEN}`;
