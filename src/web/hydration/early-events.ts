/*
 * A page can be seen and used before its scripts have come. What is done in that time is kept by a small script inside the
 * document (`early-script.ts`), and done again by the page when it has taken over.
 */

export interface EarlyDeeds {
  /** The button that was pressed last; a press is repeated once, however impatiently it was made. */
  pressed: HTMLElement | null;
  /** Switches that were moved, and where they stood last. */
  switched: Map<HTMLInputElement, boolean>;
  /** Fields that were written in; what stands in them is what was typed. */
  typed: Set<HTMLInputElement>;
}

interface EarlyWatch {
  /** Ends the noting of presses: from now on the page hears of them itself. */
  take(): EarlyDeeds;
  /** The page has taken over. */
  release(): void;
  /** The page will not take over. */
  fail(): void;
}

declare global {
  interface Window {
    earlyWatch?: EarlyWatch;
  }
}

let taken: EarlyDeeds | null = null;
let written: readonly (readonly [field: HTMLInputElement, text: string])[] = [];

/** Just before the page listens itself. */
export function takeEarlyDeeds(): void {
  taken = window.earlyWatch?.take() ?? null;
  // React puts what it knows of into the fields when it takes over.
  written = [...(taken?.typed ?? [])].map((field) => [field, field.value]);
}

/** Once everything on the page listens. A file in the file field is taken up by the field's own part. */
export function repeatEarlyDeeds(): void {
  window.earlyWatch?.release();
  delete window.earlyWatch;
  const deeds = taken;
  taken = null;
  if (!deeds) return;
  for (const [field, text] of written) writeAgain(field, text);
  written = [];
  for (const [field, checked] of deeds.switched) moveSwitch(field, checked);
  press(deeds.pressed);
}

/** The part's code may have come meanwhile and put another element in the place of the one that was pressed. */
function press(pressed: HTMLElement | null): void {
  const part = pressed?.dataset.part;
  const element = pressed?.isConnected
    ? pressed
    : part && document.querySelector<HTMLElement>(`[data-part="${part}"]`);
  if (element) element.click();
}

/**
 * React notes what stands in a field when it takes over, and hears of a text only if it is another. What is set through the
 * field is noted; what is set through the prototype is not, and so is news.
 */
function writeAgain(field: HTMLInputElement, text: string): void {
  field.value = `${text}.`;
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(field, text);
  field.dispatchEvent(new Event('input', { bubbles: true }));
}

/** React leaves a switch as it stands when it takes over, and knows nothing of it: it hears of a change, from the other side. */
function moveSwitch(field: HTMLInputElement, checked: boolean): void {
  field.checked = !checked;
  field.click();
}
