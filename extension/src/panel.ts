import { type Extraction, Glyphlift } from '../../clients/typescript/src/index.ts';
import { counted, element, showState } from './elements.ts';
import { explain } from './failures.ts';
import { isDoubtful, markDoubts } from './marked-text.ts';
import { permissionFor, readSettings, type Settings } from './settings.ts';
import type { Picture, Task, TaskRequest } from './task.ts';

/** The window that reads one image and shows its text. Closing it cancels the call. */

const [copy, retry, allow, options] = ['copy', 'retry', 'allow', 'options'].map((id) =>
  element(id, HTMLButtonElement),
) as [HTMLButtonElement, HTMLButtonElement, HTMLButtonElement, HTMLButtonElement];
const progress = element('progress', HTMLProgressElement);

options.addEventListener('click', () => void chrome.runtime.openOptionsPage());
void start();

async function start(): Promise<void> {
  const request: TaskRequest = { type: 'task', id: location.hash.slice(1) };
  const task: Task = await chrome.runtime.sendMessage(request);
  if ('problem' in task) return stop(task.problem);
  const image = element('picture', HTMLImageElement);
  image.src = task.picture.dataUrl;
  image.hidden = false;
  // One key for all attempts, so that a repeated call is charged once.
  const idempotencyKey = crypto.randomUUID();
  const read = () => void attempt(task.picture, idempotencyKey);
  retry.addEventListener('click', read);
  read();
}

async function attempt(picture: Picture, idempotencyKey: string): Promise<void> {
  retry.hidden = true;
  progress.hidden = false;
  showState('Reading…');
  const settings = await readSettings();
  if (!settings) return stop('No server is set. Enter one in the options, then try again.', true);
  if (!(await chrome.permissions.contains(permissionFor(settings.server))))
    return requestPermission(settings);
  const { server, apiKey, language } = settings;
  try {
    const client = new Glyphlift({ baseUrl: server, apiKey });
    const file = await (await fetch(picture.dataUrl)).blob();
    const extraction = await client.read(file, { languages: [language], idempotencyKey });
    await show(extraction, picture);
  } catch (error) {
    stop(explain(error, server), true);
  }
}

function stop(problem: string, mayRetry = false): void {
  progress.hidden = true;
  retry.hidden = !mayRetry;
  showState(problem, true);
}

/** Offers a button that requests the permission: the user has revoked it in the browser. */
function requestPermission({ server }: Settings): void {
  stop(`This browser does not allow calls to ${server} yet.`);
  allow.textContent = `Allow ${new URL(server).host}`;
  allow.hidden = false;
  allow.onclick = async () => {
    if (!(await chrome.permissions.request(permissionFor(server)))) return;
    allow.hidden = true;
    retry.click();
  };
}

async function show(extraction: Extraction, picture: Picture): Promise<void> {
  const { extractedText, wordCount, confidence, notices } = extraction;
  progress.hidden = true;
  const sentences = notices.map(({ message }) => message);
  if (picture.isPart) sentences.unshift('A part of the picture was outside the window and was not read.');
  if (picture.source === 'screen')
    sentences.push('Read from a screenshot. Zoom in on the page if small text is wrong.');
  const list = element('notices', HTMLUListElement);
  list.replaceChildren(
    ...sentences.map((sentence) => {
      const item = document.createElement('li');
      item.textContent = sentence;
      return item;
    }),
  );
  list.hidden = sentences.length === 0;
  if (extractedText.trim() === '') return showState('No text was found in this picture.', true);

  const text = element('text', HTMLElement);
  text.replaceChildren(
    ...markDoubts(extraction).map(({ text: piece, word }) => {
      if (!word) return piece;
      const mark = document.createElement('mark');
      mark.textContent = piece;
      const others = word.readings?.length ? `, or: ${word.readings.join(', ')}` : '';
      mark.title = `Doubtful, ${Math.round(word.confidence)}% confidence${others}`;
      return mark;
    }),
  );
  text.hidden = false;
  copy.hidden = false;
  const doubts = extraction.lines.flatMap(({ words }) => words).filter(isDoubtful).length;
  const facts = [
    counted(wordCount, 'word'),
    `confidence ${Math.round(confidence)}%`,
    doubts === 0 ? 'no doubtful words' : `${counted(doubts, 'doubtful word')} marked`,
  ].join(', ');
  const copyText = async () => {
    try {
      await navigator.clipboard.writeText(extractedText);
      showState(`Copied to the clipboard: ${facts}.`);
    } catch {
      // A window without the focus may not write to the clipboard.
      showState(`Read: ${facts}. Press “Copy” to copy it.`);
    }
  };
  copy.addEventListener('click', () => void copyText());
  copy.focus();
  await copyText();
}
