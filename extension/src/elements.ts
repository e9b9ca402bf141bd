/** The element of a page with this id. @throws where the page and its script do not belong together */
export function element<T extends HTMLElement>(id: string, kind: new () => T): T {
  const found = document.getElementById(id);
  if (!(found instanceof kind)) throw new Error(`there is no ${kind.name} #${id}`);
  return found;
}

/** Says how things stand, to eyes and to screen readers. */
export function say(state: string, isProblem = false): void {
  const line = element('state', HTMLParagraphElement);
  line.textContent = state;
  line.classList.toggle('problem', isProblem);
}

export const counted = (count: number, noun: string): string =>
  `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;
