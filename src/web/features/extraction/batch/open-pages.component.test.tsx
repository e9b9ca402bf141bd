import { HttpResponse, http } from 'msw';
import { describe, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { previewPicture } from '#contract/calls/recognition';
import { tabTo, toast } from '../../../../../tests/component/application.tsx';
import { brokenTiff, letterPdf, pdfFile } from '../../../../../tests/component/documents.ts';
import {
  dropFiles,
  openTool,
  pasteFiles,
  pictureFile,
  reloadTool,
  type Tool,
} from '../../../../../tests/component/extraction.ts';
import { expectNames, READ, row } from '../../../../../tests/component/file-list.ts';
import { requestCount, worker } from '../../../../../tests/component/server.ts';
import { lockedPdf } from '../../../../../tests/support/pdf.ts';

const FREE = 'Text from the PDF, nothing was counted';
const READ_CALL = 'POST /api/extract-text';

const button = (name: string) => page.getByRole('button', { name, exact: true });
const expectText = (tool: Tool, text: string) => expect.element(tool.text).toHaveValue(text);

describe('pages of a PDF', () => {
  test('PDF: its pages open when it is chosen, and with the keyboard a page with a text layer can be read as a picture', async () => {
    const tool = await openTool();
    await tool.choose(await letterPdf('note.pdf', 'Harbour lights'));
    await expect.element(page.getByRole('heading', { name: /^2 pages/ })).toHaveFocus();
    await expectNames(['note-page-1.png', 'note-page-2.jpg']);
    await expect.element(row('note-page-1.png')).toHaveTextContent(FREE);
    expect(toast().query()).toBeNull();

    await tabTo(() => button('Open note-page-1.png').query(), 12);
    await userEvent.keyboard('{Tab}');
    await expect.element(button('Read note-page-1.png as a picture')).toHaveFocus();
    await userEvent.keyboard('{Enter}');
    await expect.element(row('note-page-1.png')).toHaveTextContent(READ);
    await expect.element(row('note-page-2.jpg')).toHaveTextContent(/Waiting/);
    expect(requestCount(READ_CALL)).toBe(1);
    await userEvent.keyboard('{Enter}');
    await expectText(tool, tool.state.extraction.extractedText);
    expect(page.getByText(FREE).query()).toBeNull();
  });

  test('PDF: is opened when it is pasted, the picture chosen before is added to its pages, and the list survives a reload', async () => {
    let tool = await openTool();
    await tool.choose(await pictureFile('note', 'before.png'));
    const preview = page.getByRole('img', { name: 'Preview of before.png' });
    await expect.element(preview).toBeVisible();
    pasteFiles([await letterPdf('letter.pdf', 'Kept for later')]);
    const all = ['before.png', 'letter-page-1.png', 'letter-page-2.jpg'];
    await expectNames(all);
    await button('Open letter-page-1.png').click();
    await expectText(tool, 'Kept for later');
    tool.area().focus();
    await userEvent.keyboard('{Control>}{Home}{/Control}Still ');
    await expect
      .element(page.getByRole('region', { name: 'Recent results' }))
      .toHaveTextContent(/The text above is kept/);

    tool = await reloadTool(tool);
    await expect.element(page.getByText('2 pictures of your last list wait to be read')).toBeVisible();
    await button('Open the list').click();
    await expectNames(all);
    await expect.element(row('letter-page-1.png')).toHaveTextContent(FREE);
    await button('Open letter-page-1.png').click();
    await expectText(tool, 'Still Kept for later');
    expect(requestCount(READ_CALL)).toBe(0);
  });

  test('PDF: a page that opens after "Extract Text" was clicked is read, too', async () => {
    const tool = await openTool();
    await tool.choose([await pictureFile('note', 'first.png'), await letterPdf('late.pdf', 'One of two')]);
    await tool.extract.click();
    await expect.element(row('late-page-2.jpg')).toHaveTextContent(READ);
    await expect.element(row('first.png')).toHaveTextContent(READ);
    expect(requestCount(READ_CALL)).toBe(2);
  });

  test('PDF: several PDFs are opened one after another, each in its place', async () => {
    const tool = await openTool();
    await tool.choose([await letterPdf('a.pdf', 'One'), await letterPdf('b.pdf', 'Two')]);
    await expectNames(['a-page-1.png', 'a-page-2.jpg', 'b-page-1.png', 'b-page-2.jpg']);
  });

  test('PDF: its pages replace it in the list, and each page can be removed', async () => {
    await openTool();
    dropFiles(page.getByText('Drop a picture here').element(), [
      await pictureFile('note', 'first.png'),
      await letterPdf('between.pdf', 'One of two'),
      await pictureFile('note', 'last.png'),
    ]);
    await expectNames(['first.png', 'between-page-1.png', 'between-page-2.jpg', 'last.png']);
    await button('Remove between-page-1.png').click();
    await expectNames(['first.png', 'between-page-2.jpg', 'last.png']);
  });

  test.each([
    { what: 'locked', bytes: lockedPdf, words: 'It is locked with a password' },
    { what: 'broken', bytes: () => new TextEncoder().encode('%PDF-1.7\n'), words: 'It is broken' },
  ])(
    'PDF: a $what PDF is reported in the list, and the picture chosen before stays',
    async ({ what, bytes, words }) => {
      const tool = await openTool();
      await tool.choose(await pictureFile('note', 'before.png'));
      await expect.element(page.getByText('before.png', { exact: true })).toBeVisible();
      await tool.choose(pdfFile(`${what}.pdf`, bytes()));
      await expect.element(row(`${what}.pdf`)).toHaveTextContent(words);
      await expect.element(row('before.png')).toHaveTextContent(/Waiting/);
      await button('Close the list').click();
      await expect.element(page.getByText('Drop a picture here')).toBeVisible();
    },
  );
});

test('TIFF: its pages open when it is chosen, and a page that cannot be drawn is reported', async () => {
  const preview = await pictureFile('note');
  worker.use(
    http.post(
      previewPicture.path,
      () => new HttpResponse(preview, { headers: { 'content-type': 'image/png' } }),
    ),
  );
  await (await openTool()).choose(brokenTiff('torn.tif'));
  await expect.element(row('torn.tif')).toHaveTextContent(/Could not be drawn: page 2\./);
  await expect.element(row('torn-page-1.png')).toHaveTextContent(/Waiting/);
});
