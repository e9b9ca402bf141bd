import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { commands, page } from 'vitest/browser';
import { toast } from '../../../../../tests/component/application.tsx';
import { dropFiles, openTool, pictureFile } from '../../../../../tests/component/extraction.ts';
import { tap } from '../../../../../tests/component/workspace.ts';
import type {} from '../../../hydration/early-events.ts';
import { EARLY_SCRIPT } from '../../../hydration/early-script.ts';

const photo = () => page.getByRole('button', { name: 'Take a photo' });
const paste = () => page.getByRole('button', { name: 'Paste a picture' });

test.each([
  { width: 1440, height: 900 },
  { width: 768, height: 1024 },
  { width: 375, height: 812 },
])(
  'drop zone: a file can be dropped anywhere in the window at any scroll position, at $width px',
  async ({ width, height }) => {
    await page.viewport(width, height);
    await openTool({ staticParts: true });
    const veil = page.getByText('Let go to read this picture');
    const footer = page.getByRole('contentinfo').element();
    footer.scrollIntoView({ block: 'end' });
    await expect.element(page.getByText('Drop a picture here')).not.toBeInViewport();
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File(['x'], 'x.png', { type: 'image/png' }));
    footer.dispatchEvent(new DragEvent('dragenter', { dataTransfer, bubbles: true }));
    await expect.element(veil).toBeInViewport();
    footer.dispatchEvent(new DragEvent('dragleave', { dataTransfer, bubbles: true }));
    await expect.element(veil).not.toBeInTheDocument();
    dropFiles(footer, [await pictureFile('note')]);
    await expect.element(page.getByText('note.png', { exact: true })).toBeInTheDocument();
  },
);

test('drop zone: offers neither camera nor clipboard without a camera and a touch screen', async () => {
  await openTool();
  await expect.element(page.getByText('or paste one, or its address')).toBeVisible();
  await expect.element(page.getByText('Pictures, PDFs, several at once.')).toBeVisible();
  await expect.element(page.getByText('Take or choose a picture')).not.toBeVisible();
  await expect.element(photo()).not.toBeInTheDocument();
  await expect.element(paste()).not.toBeInTheDocument();
});

describe('on a computer', () => {
  const root = document.documentElement;
  const kinds = (...found: MediaDeviceKind[]) => found.map((kind) => ({ kind }) as MediaDeviceInfo);

  /** Runs the inline script of the document. */
  function runEarlyScript(): void {
    const script = document.createElement('script');
    script.textContent = EARLY_SCRIPT;
    document.head.append(script);
    script.remove();
  }

  afterEach(() => {
    window.earlyCapture?.take();
    window.earlyCapture?.release();
    delete window.earlyCapture;
    for (const name of ['data-lacks', 'data-has-camera']) root.removeAttribute(name);
  });

  test('drop zone: offers an existing camera without a permission request and without layout shift', async () => {
    const devices = vi.spyOn(navigator.mediaDevices, 'enumerateDevices');
    const getUserMedia = vi
      .spyOn(navigator.mediaDevices, 'getUserMedia')
      .mockImplementation(async () => document.createElement('canvas').captureStream());
    await openTool();
    const place = () => page.getByText('Drop a picture here').element().getBoundingClientRect().top;
    const before = place();
    devices.mockResolvedValue(kinds('audioinput', 'audiooutput'));
    runEarlyScript();
    await expect.poll(() => devices.mock.results.length).toBe(1);
    await expect.element(photo()).not.toBeInTheDocument();

    // A camera is plugged in.
    devices.mockResolvedValue(kinds('audioinput', 'videoinput'));
    navigator.mediaDevices.dispatchEvent(new Event('devicechange'));
    await expect.element(photo()).toBeVisible();
    await expect.element(paste()).not.toBeInTheDocument();
    expect(place()).toBe(before);
    expect(getUserMedia).not.toHaveBeenCalled();

    window.earlyCapture?.take();
    await photo().click();
    await expect.element(page.getByRole('dialog', { name: 'Take pages' })).toBeVisible();
    expect(getUserMedia).toHaveBeenCalledOnce();
  });

  test.each([1440, 768, 600, 375])(
    'drop zone: the camera button has a distance from the text above it, at %i px',
    async (width) => {
      await page.viewport(width, 800);
      vi.spyOn(navigator.mediaDevices, 'enumerateDevices').mockResolvedValue(kinds('videoinput'));
      await openTool();
      runEarlyScript();
      await expect.element(photo()).toBeVisible();
      const words = page.getByText('Pictures, PDFs, several at once.').element().getBoundingClientRect();
      const zone = document.querySelector('.drop-zone')!.getBoundingClientRect();
      const pressed = photo().element().getBoundingClientRect();
      expect(pressed.top - words.bottom).toBeGreaterThanOrEqual(8);
      expect(zone.bottom - pressed.bottom).toBeGreaterThanOrEqual(8);
    },
  );
});

describe('on a touch screen', () => {
  beforeEach(async () => {
    await page.viewport(375, 812);
    await commands.emulateTouch(true);
  });
  afterEach(() => document.documentElement.removeAttribute('data-lacks'));

  test('drop zone: "Take a photo" opens the system’s camera if the page may not use the camera, and is hidden without a camera', async () => {
    vi.spyOn(navigator, 'mediaDevices', 'get').mockReturnValue(undefined as unknown as MediaDevices);
    // The inline script in the document's head sets this attribute.
    document.documentElement.dataset.lacks = 'camera';
    await openTool();
    await expect.element(page.getByText('Take or choose a picture')).toBeVisible();
    await expect.element(page.getByText('Drop a picture here')).not.toBeVisible();
    await expect.element(paste()).toBeVisible();
    await expect.element(photo()).not.toBeInTheDocument();

    document.documentElement.dataset.lacks = '';
    await expect.element(photo()).toBeVisible();
    const picture = await pictureFile('note');
    vi.spyOn(HTMLInputElement.prototype, 'click').mockImplementation(function (this: HTMLInputElement) {
      expect({ type: this.type, accept: this.accept, capture: this.capture }).toEqual({
        type: 'file',
        accept: 'image/*',
        capture: 'environment',
      });
      const taken = new DataTransfer();
      taken.items.add(picture);
      this.files = taken.files;
      this.dispatchEvent(new Event('change'));
    });
    await tap(photo());
    await expect.element(page.getByText('note.png', { exact: true })).toBeVisible();
  });

  test('drop zone: "Paste a picture" chooses the picture in the clipboard, and reports a clipboard without one', async () => {
    await commands.holdClipboard();
    const tool = await openTool();
    await navigator.clipboard.writeText('no picture');
    await tap(paste());
    await expect.element(toast()).toHaveTextContent(/Copy a picture first/);
    await navigator.clipboard.writeText('http://example.org/note.png');
    await tap(paste());
    await expect.element(toast()).toHaveTextContent(/with https only/);
    await navigator.clipboard.write([new ClipboardItem({ 'image/png': pictureFile('note') })]);
    await tap(paste());
    await expect.element(page.getByText('pasted.png', { exact: true })).toBeVisible();
    await tool.read();
    await expect.element(tool.text).toHaveValue(tool.state.extraction.extractedText);
  });
});
