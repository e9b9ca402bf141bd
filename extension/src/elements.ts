/** The element with this id. @throws if it does not exist */
export function element<T extends HTMLElement>(id: string, kind: new () => T): T {
  const found = document.getElementById(id);
  if (!(found instanceof kind)) throw new Error(`there is no ${kind.name} #${id}`);
  return found;
}

/** Updates the status line (a live region). */
export function showState(state: string, isProblem = false): void {
  const line = element('state', HTMLParagraphElement);
  line.textContent = state;
  line.classList.toggle('problem', isProblem);
}

export const counted = (count: number, noun: string): string =>
  `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;
