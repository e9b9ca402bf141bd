/**
 * Functions that the browser injects into a web page. It serializes each of them, so they must be self-contained. They do
 * not read the page's text, and remove every element that they add.
 */

/** A rectangle in CSS pixels of the viewport, and the width of the viewport. */
export interface Area {
  x: number;
  y: number;
  width: number;
  height: number;
  viewWidth: number;
}

export type FoundPicture = { dataUrl: string } | { area: Area; isPart: boolean };

/**
 * The image at `url` as a data URL, or its area on the screen if its server does not let the page read it. Null if it is
 * not found, for example in a closed shadow root.
 */
export async function findPicture(url: string): Promise<FoundPicture | null> {
  const maxBytes = 40_000_000;
  try {
    const response = await fetch(url, { cache: 'force-cache' });
    const blob = await response.blob();
    // Recognition does not support SVG. A screenshot of the drawn image is read instead.
    if (response.ok && /^image\/(?!svg)/.test(blob.type) && blob.size <= maxBytes) {
      const reader = new FileReader();
      reader.readAsDataURL(blob);
      await new Promise((resolve) => reader.addEventListener('loadend', resolve, { once: true }));
      if (typeof reader.result === 'string') return { dataUrl: reader.result };
    }
  } catch {
    // A cross-origin image: the page cannot read its bytes.
  }
  const shown = [...document.images]
    .filter((image) => image.currentSrc === url || image.src === url)
    .map((image) => ({ image, size: image.clientWidth * image.clientHeight }))
    .sort((a, b) => b.size - a.size)[0];
  if (!shown || shown.size === 0) return null;
  shown.image.scrollIntoView({ block: 'nearest', inline: 'nearest', behavior: 'instant' });
  await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
  const box = shown.image.getBoundingClientRect();
  const [x, y] = [Math.max(0, box.left), Math.max(0, box.top)];
  const width = Math.min(box.right, innerWidth) - x;
  const height = Math.min(box.bottom, innerHeight) - y;
  if (width < 1 || height < 1) return null;
  const isPart = width < box.width - 1 || height < box.height - 1;
  return { area: { x, y, width, height, viewWidth: innerWidth }, isPart };
}

/**
 * Lets the user select a part of the page by pointer or keys.
 * @returns null if the user cancels, or if a selection is already open
 */
export async function selectArea(): Promise<Area | null> {
  const name = 'glyphlift-frame';
  if (document.querySelector(name)) return null;
  const host = document.createElement(name);
  // Styles are set on elements, because a page's content security policy may forbid style sheets.
  const styled = <T extends HTMLElement>(element: T, css: string): T => {
    element.style.cssText = css;
    return element;
  };
  const dialog = styled(
    document.createElement('dialog'),
    'position:fixed;inset:0;width:100vw;height:100vh;max-width:none;max-height:none;margin:0;padding:0;border:0;' +
      'background:transparent;overflow:hidden;cursor:crosshair;touch-action:none;user-select:none',
  );
  dialog.setAttribute('aria-label', 'Part of the page to read');
  const box = styled(
    document.createElement('div'),
    'position:absolute;box-sizing:border-box;border:2px solid #ffdf3f;outline:2px solid #16212e;' +
      'box-shadow:0 0 0 200vmax rgb(22 33 46 / 45%)',
  );
  const hint = styled(
    document.createElement('p'),
    'position:absolute;left:50%;top:12px;transform:translateX(-50%);margin:0;padding:8px 14px;max-width:90vw;' +
      'box-sizing:border-box;background:#16212e;color:#fdfbf5;font:15px/1.4 system-ui,sans-serif;border-radius:4px',
  );
  hint.textContent =
    'Draw a frame around the text. With keys: arrows move it, Shift and arrows resize it, Enter reads, Escape cancels.';
  dialog.append(box, hint);
  host.attachShadow({ mode: 'closed' }).append(dialog);
  document.documentElement.append(host);

  const [viewWidth, viewHeight] = [innerWidth, innerHeight];
  const area = { x: viewWidth / 4, y: viewHeight / 4, width: viewWidth / 2, height: viewHeight / 2 };
  const show = () => {
    for (const [side, value] of [
      ['left', area.x],
      ['top', area.y],
      ['width', area.width],
      ['height', area.height],
    ] as const)
      box.style[side] = `${value}px`;
  };
  show();
  dialog.showModal();
  try {
    return await new Promise<Area | null>((resolve) => {
      const minSide = 8;
      /** The pointer and the start of a drag, and the area before it. */
      let drag: { pointerId: number; x: number; y: number; before: typeof area } | null = null;
      dialog.addEventListener('pointerdown', ({ button, pointerId, clientX: x, clientY: y }) => {
        if (button !== 0 || drag) return;
        dialog.setPointerCapture(pointerId);
        drag = { pointerId, x, y, before: { ...area } };
        Object.assign(area, { x, y, width: 0, height: 0 });
        hint.hidden = true;
      });
      dialog.addEventListener('pointermove', (event) => {
        if (event.pointerId !== drag?.pointerId) return;
        const at = {
          x: Math.min(Math.max(event.clientX, 0), viewWidth),
          y: Math.min(Math.max(event.clientY, 0), viewHeight),
        };
        area.x = Math.min(drag.x, at.x);
        area.y = Math.min(drag.y, at.y);
        area.width = Math.abs(at.x - drag.x);
        area.height = Math.abs(at.y - drag.y);
        show();
      });
      const endDrag = ({ type, pointerId }: PointerEvent) => {
        if (pointerId !== drag?.pointerId) return;
        const isSelection = type === 'pointerup' && area.width >= minSide && area.height >= minSide;
        if (isSelection) resolve({ ...area, viewWidth });
        // A click or a cancelled drag selects nothing.
        else Object.assign(area, drag.before);
        drag = null;
        show();
      };
      dialog.addEventListener('pointerup', endDrag);
      dialog.addEventListener('pointercancel', endDrag);
      dialog.addEventListener('cancel', () => resolve(null));
      dialog.addEventListener('keydown', (event) => {
        const step = event.altKey ? 1 : 10;
        const moves: Record<string, [number, number]> = {
          ArrowLeft: [-step, 0],
          ArrowRight: [step, 0],
          ArrowUp: [0, -step],
          ArrowDown: [0, step],
        };
        const move = moves[event.key];
        // Keys must not trigger shortcuts of the page.
        event.stopPropagation();
        if (event.key === 'Enter') {
          event.preventDefault();
          resolve({ ...area, viewWidth });
        }
        if (!move) return;
        event.preventDefault();
        if (event.shiftKey) {
          area.width = Math.min(Math.max(area.width + move[0], minSide), viewWidth - area.x);
          area.height = Math.min(Math.max(area.height + move[1], minSide), viewHeight - area.y);
        } else {
          area.x = Math.min(Math.max(area.x + move[0], 0), viewWidth - area.width);
          area.y = Math.min(Math.max(area.y + move[1], 0), viewHeight - area.height);
        }
        show();
      });
    });
  } finally {
    host.remove();
    // The screenshot is taken next and must not show the frame.
    await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
  }
}
