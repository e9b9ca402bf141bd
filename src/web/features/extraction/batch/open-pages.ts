import { MAX_BATCH_IMAGES } from '#contract/product';
import { counted } from '../../../ui/basics/words.ts';
import { DocumentError, openDocument } from '../documents/open-document.ts';
import { extractionReducer, initialState } from '../tool/extraction-state.ts';
import { PAGES_NOT_LOADED, type Rejection, type Remedy } from '../tool/image-file.ts';
import { newAttempt } from '../tool/items.ts';
import type { ListItem } from '../tool/items-state.ts';
import type { Batch } from './batch.ts';
import { isBeingRead, isRead, listItemOf } from './list-state.ts';

/**
 * Adds the pages of a document to the list before the item of the document. After the last page the document's item is
 * removed; otherwise it shows which pages are open and offers the next ones. Pages with a text layer are not recognized.
 * @param from number of the first page; if it is not 1, the open pages are removed to make space
 * @returns the outcome for screen readers; null if the document was removed from the list
 */
export async function openPagesOf(
  batch: Batch,
  { id, file, state }: ListItem,
  from: number,
  signal: AbortSignal,
): Promise<string | null> {
  if (signal.aborted) return null;
  const stopping = new AbortController();
  signal.addEventListener('abort', () => stopping.abort(), { once: true });
  const remedyFrom = (page: number, label: string): Remedy => ({
    kind: 'open-pages',
    file,
    label,
    busyLabel: null,
    from: page,
  });
  const indexOfItem = () => batch.list().findIndex((item) => item.id === id);
  const showProblem = (problem: Rejection) => batch.items.notify(id, { type: 'rejected', problem });
  const opening = { ...remedyFrom(from, ''), busyLabel: 'One moment...' };
  if (from > 1) for (const item of removablePages(batch, id)) batch.remove(item.id);
  // A TIFF is a picture, too. Resetting its item prevents that it is read in addition to its pages.
  batch.items.notify(id, { type: 'reset' });
  showProblem({ title: 'Opening its pages', description: 'One moment...', remedy: opening });
  const room = MAX_BATCH_IMAGES - batch.list().length;
  if (room < 1) {
    showProblem({
      title: `The list is full: it can have ${MAX_BATCH_IMAGES} files`,
      description: 'Remove some files to make space for the pages of this document.',
      remedy: remedyFrom(from, from > 1 ? NEXT : 'Open its pages as pictures'),
    });
    return 'The list is full';
  }
  const open: number[] = [];
  let withText = 0;
  let [count, last] = [0, 0];
  try {
    const unreadable = await openDocument(file, {
      from,
      room,
      signal: stopping.signal,
      onCount(pages, lastOfThem) {
        [count, last] = [pages, lastOfThem];
      },
      onPage({ number, file: picture, extraction }) {
        const place = indexOfItem();
        if (place < 0) return stopping.abort();
        const item = { ...listItemOf(picture, null), document: id };
        if (extraction) {
          const attempt = { ...newAttempt({ useFiltering: true, languages: [] }), fromDocument: true };
          const reading = { picture: { file: picture, number: 1 }, attempt, extraction, work: null };
          item.state = extractionReducer(initialState, { type: 'opened', reading });
          withText += 1;
        }
        batch.dispatch({ type: 'added', items: [item], at: place });
        open.push(number);
        showProblem({
          title: `Page ${number} of ${count} is open`,
          description: 'One moment...',
          remedy: opening,
        });
      },
    });
    if (stopping.signal.aborted || indexOfItem() < 0) return null;
    const missing = unreadable.length > 0 && `Could not be drawn: ${numbered(unreadable)}.`;
    if (last < count) {
      showProblem({
        title: `${openPagesText(open)} of ${count} are open`,
        description: [missing, `A list can have ${MAX_BATCH_IMAGES} files. ${SAVE_FIRST}`]
          .filter(Boolean)
          .join(' '),
        remedy: remedyFrom(last + 1, NEXT),
      });
    } else if (missing) {
      showProblem({ title: 'Not all of its pages could be drawn', description: missing });
    } else {
      batch.remove(id);
    }
    return `${counted(open.length, 'page')} of ${file.name} are open, ${withText} with text from the PDF`;
  } catch (error) {
    const why = error instanceof DocumentError ? error.message : PAGES_NOT_LOADED.description;
    const reached = open.at(-1);
    if (reached !== undefined && reached + 2 <= count) {
      showProblem({
        title: `${openPagesText(open)} of ${count} are open`,
        description: `Page ${reached + 1} is not. ${why} ${SAVE_FIRST}`,
        remedy: remedyFrom(reached + 2, NEXT),
      });
    } else {
      const again = error instanceof DocumentError ? {} : { remedy: remedyFrom(from, 'Try again') };
      if (state.status === 'selected') batch.dispatch({ type: 'replaced', id, file });
      showProblem({ title: PAGES_NOT_LOADED.title, description: why, ...again });
    }
    return `The pages of ${file.name} could not be opened. ${why}`;
  }
}

const NEXT = 'Open the next pages instead';
const SAVE_FIRST = 'The next pages replace these: copy or save their texts first.';

function removablePages(batch: Batch, document: string): ListItem[] {
  const isRunning = batch.items.state().list?.isRunning ?? false;
  return batch
    .list()
    .filter(
      (item) =>
        item.document === document &&
        !isBeingRead(item) &&
        (isRead(item) || !isRunning || item.queueState !== 'queued'),
    );
}

const openPagesText = (open: readonly number[]) =>
  open.length > 1 ? `Pages ${open[0]} to ${open.at(-1)}` : `Page ${open[0]}`;

const MAX_NAMED = 10;

const numbered = (pages: readonly number[]) =>
  `${pages.length > 1 ? 'pages' : 'page'} ${pages.slice(0, MAX_NAMED).join(', ')}${pages.length > MAX_NAMED ? ' and others' : ''}`;
