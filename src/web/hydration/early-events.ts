/*
 * A page can be seen and used before its scripts have loaded. A small script inside the document (`early-script.ts`) captures
 * events in that time, and the page replays them once it is hydrated.
 */

export interface EarlyEvents {
  /** The button that was pressed last; a press is replayed once, however often it was made. */
  pressed: HTMLElement | null;
  /** Checkboxes that were changed, and their last state. */
  switched: Map<HTMLInputElement, boolean>;
  /** Fields that were typed in; their values are what was typed. */
  typed: Set<HTMLInputElement>;
}

interface EarlyCapture {
  /** Stops capturing presses: from now on the page handles them itself. */
  take(): EarlyEvents;
  release(): void;
  fail(): void;
}

declare global {
  interface Window {
    earlyCapture?: EarlyCapture;
  }
}

let taken: EarlyEvents | null = null;
let written: readonly (readonly [field: HTMLInputElement, text: string])[] = [];

export function takeEarlyEvents(): void {
  taken = window.earlyCapture?.take() ?? null;
  // During hydration, React sets fields to the values that it knows.
  written = [...(taken?.typed ?? [])].map((field) => [field, field.value]);
}

/** Once the whole page is hydrated. The drop zone takes a file in the file field itself. */
export function replayEarlyEvents(): void {
  window.earlyCapture?.release();
  delete window.earlyCapture;
  const events = taken;
  taken = null;
  if (!events) return;
  for (const [field, text] of written) retype(field, text);
  written = [];
  for (const [field, checked] of events.switched) setChecked(field, checked);
  press(events.pressed);
}

/** The part's code may have loaded meanwhile and replaced the element that was pressed. */
function press(pressed: HTMLElement | null): void {
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

/** Hydration leaves a checkbox as it is, without telling React: only a change from the other state is noticed. */
function setChecked(field: HTMLInputElement, checked: boolean): void {
  field.checked = !checked;
  field.click();
}
