/** Accessible roles that the journeys look for. */
export type Role =
  | 'article'
  | 'button'
  | 'dialog'
  | 'heading'
  | 'img'
  | 'link'
  | 'listitem'
  | 'menuitem'
  | 'region'
  | 'tab'
  | 'textbox';

/** A pattern in JSON: a whole string, or a regular expression. */
export type Pattern = { whole: string } | { source: string; flags: string };

/** A target in JSON. */
export type JsonTarget = {
  role?: Role;
  name?: Pattern;
  css?: string;
  text?: Pattern;
  within?: JsonTarget;
};

export type Found = { text: string; value: string; isFocused: boolean };

/** Where an element can be clicked, in CSS pixels of the viewport, or why it cannot be clicked yet. */
export type ClickPoint = { x: number; y: number } | { obstacle: string };

/**
 * The visible elements that match, in the order of the document. With `forClick` also where the first of them can be clicked.
 *
 * Runs in the page, where only its source arrives: it must not use anything from this module.
 */
export async function lookUp(
  wanted: JsonTarget,
  forClick: boolean,
): Promise<{ found: Found[]; point: ClickPoint }> {
  const selectors: Record<Role, string> = {
    article: 'article',
    button: 'button:not([role]), [role=button]',
    dialog: '[role=dialog], dialog',
    heading: 'h1, h2, h3, h4, h5, h6',
    img: 'img, [role=img]',
    link: 'a[href]:not([role])',
    listitem: 'li',
    menuitem: '[role=menuitem]',
    region: 'section, [role=region]',
    tab: '[role=tab]',
    textbox: 'textarea, input:not([type=checkbox], [type=radio], [type=file])',
  };
  const clean = (text: string | null | undefined) => (text ?? '').replace(/\s+/g, ' ').trim();
  const matches = (pattern: Pattern | undefined, value: string) =>
    !pattern ||
    ('whole' in pattern ? value === pattern.whole : new RegExp(pattern.source, pattern.flags).test(value));

  const nameOf = (element: Element): string => {
    const label = element.getAttribute('aria-label');
    if (label) return clean(label);
    const ids = element.getAttribute('aria-labelledby')?.split(' ') ?? [];
    if (ids.length > 0) return clean(ids.map((id) => document.getElementById(id)?.textContent).join(' '));
    if (element instanceof HTMLImageElement) return clean(element.alt);
    if (element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement)
      return clean(element.labels?.[0]?.textContent);
    return clean(element.textContent);
  };
  const isVisible = (element: Element) => {
    const { width, height } = element.getBoundingClientRect();
    return width > 0 && height > 0 && element.checkVisibility({ visibilityProperty: true });
  };
  const allOf = ({ role, name, css, text, within }: JsonTarget): Element[] => {
    const inside = within ? allOf(within) : [document.documentElement];
    const candidates = [...document.querySelectorAll(css ?? (role ? selectors[role] : '*'))];
    return candidates.filter(
      (element) =>
        inside.some((outer) => outer.contains(element)) &&
        (!css || !role || element.matches(selectors[role])) &&
        (!name || matches(name, nameOf(element))) &&
        (!text || matches(text, clean(element.textContent))) &&
        isVisible(element),
    );
  };

  const elements = allOf(wanted);
  const found = elements.map((element) => ({
    text: clean(element.textContent),
    value: 'value' in element ? String(element.value) : '',
    isFocused: element === document.activeElement,
  }));
  const [first] = elements;
  if (!first) return { found, point: { obstacle: 'it is not visible' } };
  if (!forClick) return { found, point: { obstacle: 'it was not looked for' } };

  const nextFrame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  first.scrollIntoView({ block: 'center', inline: 'nearest', behavior: 'instant' });
  const before = first.getBoundingClientRect();
  await nextFrame();
  await nextFrame();
  const box = first.getBoundingClientRect();
  const point = { x: Math.round(box.x + box.width / 2), y: Math.round(box.y + box.height / 2) };
  const hit = document.elementFromPoint(point.x, point.y);
  if (first.matches(':disabled, [aria-disabled=true]'))
    return { found, point: { obstacle: 'it is disabled' } };
  if (box.x !== before.x || box.y !== before.y) return { found, point: { obstacle: 'it moves' } };
  if (!hit || !(first.contains(hit) || hit.closest('label')?.control === first)) {
    const cover = hit
      ? `<${hit.localName} class="${hit.getAttribute('class') ?? ''}"> ${hit.textContent} ${[...document.querySelectorAll(':hover')].at(-1)?.outerHTML.slice(0, 300)} ${document.activeElement?.outerHTML.slice(0, 200)}`
      : 'the edge of the window';
    return { found, point: { obstacle: `it is covered by ${cover}` } };
  }
  return { found, point };
}
