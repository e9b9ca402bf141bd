import { PAGE_ELEMENTS } from '#contract/page';
import type { EarlyEvents } from './early-events.ts';

/* The small inline script of the document. It is a separate module, so that the page's scripts do not include it. */

/** Only the source of this function is sent, so it must not use anything outside itself. */
function captureEarlyEvents() {
  // Set before the first paint, so that no button appears or disappears during hydration.
  const missing = [
    !('capture' in HTMLInputElement.prototype || 'mediaDevices' in navigator) && 'camera',
    !('clipboard' in navigator && 'read' in navigator.clipboard) && 'clipboard',
  ];
  document.documentElement.dataset.lacks = missing.filter(Boolean).join(' ');
  // A computer may have no camera. Listing devices needs no permission, but a browser may refuse it.
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
  const preventing = new AbortController();
  const events: EarlyEvents = { pressed: null, switched: new Map(), typed: new Set() };
  let status: HTMLElement | null = null;

  const on = <T extends keyof DocumentEventMap>(
    type: T,
    until: AbortController,
    listener: (event: DocumentEventMap[T]) => void,
  ) => document.addEventListener(type, listener, { capture: true, signal: until.signal });
  const showStatus = (text: string) => {
    if (!status) {
      status = document.createElement('p');
      status.className = 'early-status';
      status.setAttribute('role', 'status');
      document.body.append(status);
    }
    status.textContent = text;
  };
  const fileInput = () => document.querySelector<HTMLInputElement>('input[type=file]');
  const markPressed = (pressed: HTMLElement | null) => {
    events.pressed?.removeAttribute('data-pressed-early');
    events.pressed = pressed;
    pressed?.setAttribute('data-pressed-early', '');
  };

  on('click', capturing, ({ target }) => {
    const button = target instanceof Element ? target.closest('button') : null;
    if (!button) return;
    const input = fileInput();
    if (input && 'capture' in input && button.hasAttribute('data-opens-camera')) {
      // The browser opens the system camera only during a user activation.
      input.capture = 'environment';
      input.click();
      input.removeAttribute('capture');
      return;
    }
    markPressed(button);
    showStatus('One moment, the page is still loading. Your click is queued.');
  });
  // Without the page's scripts, a form would submit the typed values in the URL.
  on('submit', capturing, (event) => event.preventDefault());
  on('input', capturing, ({ target }) => {
    if (target instanceof HTMLInputElement && !['checkbox', 'radio', 'file'].includes(target.type))
      events.typed.add(target);
  });
  on('change', capturing, ({ target }) => {
    if (!(target instanceof HTMLInputElement)) return;
    if (target.type === 'checkbox') events.switched.set(target, target.checked);
    else if (target.files?.[0]) showStatus('One moment, the page is still loading. Your picture is kept.');
  });

  // The browser would replace the page by a dropped file. Instead, the file input gets it.
  const keepFiles = (event: Event, data: DataTransfer | null) => {
    const input = fileInput();
    if (!input || !data || ![...data.types].includes('Files')) return;
    event.preventDefault();
    if (event.type === 'dragover' || data.files.length === 0) return;
    input.files = data.files;
    showStatus('One moment, the page is still loading. Your picture is kept.');
  };
  on('dragover', preventing, (event) => keepFiles(event, event.dataTransfer));
  on('drop', preventing, (event) => keepFiles(event, event.dataTransfer));
  on('paste', preventing, (event) => {
    const { target, clipboardData } = event;
    const intoField = target instanceof Element && target.closest('textarea, input:not([type=file])');
    if (!intoField) keepFiles(event, clipboardData);
  });

  const fail = () =>
    showStatus('This page did not load completely. Check your connection and load it again.');
  window.addEventListener(
    'error',
    ({ target }) => {
      if (target instanceof HTMLScriptElement) fail();
    },
    { capture: true, signal: preventing.signal },
  );

  window.earlyCapture = {
    take() {
      capturing.abort();
      const { pressed, switched, typed } = events;
      markPressed(null);
      return { pressed, switched, typed };
    },
    release() {
      preventing.abort();
      status?.remove();
    },
    fail,
  };
}

/**
 * Fetches the scripts of a page once the server's markup is painted: earlier they would compete with the fonts, and delay the
 * first paint on a fast connection. A hidden page is not painted, hence the timer. Each fetch starts in a separate task,
 * because starting all of them in one task delays scrolling on a phone. It is a string, because builds rewrite imports.
 */
const START_AFTER_PAINT = `document.addEventListener("DOMContentLoaded", () => {
  const [entry, ...modules] = JSON.parse(document.getElementById("${PAGE_ELEMENTS.scripts}").textContent);
  const preload = (href) => {
    const link = document.createElement("link");
    document.head.append(Object.assign(link, { rel: "modulepreload", href, fetchPriority: "low" }));
  };
  const start = () => {
    for (const href of modules.splice(0)) setTimeout(preload, 0, href);
    setTimeout(() => import(entry).catch(() => window.earlyCapture?.fail()));
  };
  const hiddenPageTimer = setTimeout(start, 100);
  requestAnimationFrame(() => {
    clearTimeout(hiddenPageTimer);
    setTimeout(start);
  });
})`;

export const EARLY_SCRIPT = `(${captureEarlyEvents.toString()})();${START_AFTER_PAINT}`;
