import { http } from 'msw';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { extractText, watchExtraction } from '#contract/calls/recognition';
import { toast } from '../../../../../tests/component/application.tsx';
import { gate, openTool, pictureFile } from '../../../../../tests/component/extraction.ts';
import { answers, worker } from '../../../../../tests/component/server.ts';

/** Records every percentage that the button shows from now on. */
function recordPercentages(): number[] {
  const percentages: number[] = [];
  const observer = new MutationObserver(() => {
    for (const button of document.querySelectorAll('button')) {
      const [, percentage] = /^Processing\.\.\. (\d+)%$/.exec(button.textContent ?? '') ?? [];
      if (percentage !== undefined && percentages.at(-1) !== Number(percentage))
        percentages.push(Number(percentage));
    }
  });
  observer.observe(document.body, { childList: true, subtree: true, characterData: true });
  onTestFinished(() => observer.disconnect());
  return percentages;
}

/** The server reports no stages. */
const noStages = () => http.get(watchExtraction.path, () => new Promise<never>(() => {}));

describe('progress', () => {
  test('progress: rises by ten to 90%, and waits there for the response', async () => {
    const tool = await openTool();
    const response = gate();
    worker.use(
      noStages(),
      answers(extractText, async () => {
        await response.opened;
        return tool.state.extraction;
      }),
    );
    await tool.choose(await pictureFile('note'));
    const percentages = recordPercentages();
    await tool.extract.click();
    await expect.element(page.getByRole('button', { name: 'Processing... 90%' })).toBeVisible();
    response.open();
    await expect.element(toast()).toHaveTextContent(/Success!/);
    expect(percentages).toEqual([0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100]);
  });

  test('progress: shows the upload and then the stages, and never decreases', async () => {
    const tool = await openTool();
    worker.use(noStages());
    // Uploads in tests take no time, so the test dispatches the progress events.
    let upload: XMLHttpRequest | null = null;
    const { send } = XMLHttpRequest.prototype;
    let body: Parameters<typeof send>[0];
    vi.spyOn(XMLHttpRequest.prototype, 'send').mockImplementation(function (this: XMLHttpRequest, sent) {
      upload = this;
      body = sent;
    });
    const sent = (loaded: number) =>
      upload!.upload.dispatchEvent(new ProgressEvent('progress', { loaded, total: 2 * 1024 ** 2 }));
    await tool.choose(await pictureFile('note'));
    const percentages = recordPercentages();
    await tool.extract.click();
    await expect.poll(() => upload).not.toBeNull();
    const spoken = (words: string) => page.getByRole('status').filter({ hasText: words });
    for (const [share, words, aloud] of [
      [0.25, 'Sending 0.5 of 2.0 MB', 'Sending your picture'],
      [0.5, 'Sending 1.0 of 2.0 MB', 'Half of your picture is sent'],
      [0.75, 'Sending 1.5 of 2.0 MB', 'Half of your picture is sent'],
    ] as const) {
      sent(share * 2 * 1024 ** 2);
      await expect.element(page.getByText(words)).toBeVisible();
      await expect.element(spoken(aloud)).toBeInTheDocument();
    }
    send.call(upload!, body!);
    await expect.element(tool.text).toHaveValue(tool.state.extraction.extractedText);
    expect(percentages).toEqual([...percentages].sort((a, b) => a - b));
    expect(
      percentages.filter((percentage) => percentage > 0 && percentage < 50).length,
    ).toBeGreaterThanOrEqual(3);
    expect(percentages.at(-1)).toBe(100);
  });
});
