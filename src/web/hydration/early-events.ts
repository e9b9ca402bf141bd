/*
 * A page can be seen and used before its scripts have loaded. A small script inside the document (`early-script.ts`) captures
 * events in that time, and the page replays them once it is hydrated.
 */

export interface EarlyEvents {
  /** The button that was pressed last. Its press is replayed once, even after several presses. */
  pressed: HTMLElement | null;
  /** Changed checkboxes and their last state. */
  switched: Map<HTMLInputElement, boolean>;
  /** Fields with typed text, which is their value. */
  typed: Set<HTMLInputElement>;
}

interface EarlyCapture {
  /** Stops capturing input events, because the page handles them from now on. */
  take(): EarlyEvents;
  release(): void;
  fail(): void;
}

declare global {
  interface Window {
    earlyCapture?: EarlyCapture;
  }
}

let earlyEvents: EarlyEvents | null = null;
let typedValues: readonly (readonly [field: HTMLInputElement, text: string])[] = [];

export function takeEarlyEvents(): void {
  earlyEvents = window.earlyCapture?.take() ?? null;
  // During hydration, React sets fields to the values that it knows.
  typedValues = [...(earlyEvents?.typed ?? [])].map((field) => [field, field.value]);
}

/** Called once the whole page is hydrated. The drop zone reads a chosen file from its input itself. */
export function replayEarlyEvents(): void {
  window.earlyCapture?.release();
  delete window.earlyCapture;
  const events = earlyEvents;
  earlyEvents = null;
  if (!events) return;
  for (const [field, text] of typedValues) retype(field, text);
  typedValues = [];
  for (const [field, checked] of events.switched) setChecked(field, checked);
  replayPress(events.pressed);
}

/** Hydration may have replaced the pressed element; `data-part` finds the new one. */
function replayPress(pressed: HTMLElement | null): void {
  const part = pressed?.dataset.part;
  const element = pressed?.isConnected
    ? pressed
    : part && document.querySelector<HTMLElement>(`[data-part="${part}"]`);
  if (element) element.click();
}

/**
 * React tracks the value of a field and ignores an input event that does not change it. Setting the value on the field updates
 * what React tracks; setting it through the prototype does not, and so counts as a change.
 */
function retype(field: HTMLInputElement, text: string): void {
  field.value = `${text}.`;
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(field, text);
  field.dispatchEvent(new Event('input', { bubbles: true }));
}

/**
 * Hydration keeps the state of a checkbox without updating React's. React notices only a click that changes the state.
 */
function setChecked(field: HTMLInputElement, checked: boolean): void {
  field.checked = !checked;
  field.click();
}
