import { Glyphlift } from '../../clients/typescript/src/index.ts';
import { counted, element, showState } from './elements.ts';
import { explain } from './failures.ts';
import { forgetSettings, permissionFor, readSettings, saveSettings, serverOrigin } from './settings.ts';

/** The options page. A server and its key are saved once the server has accepted them. */

const [server, key] = ['server', 'key'].map((id) => element(id, HTMLInputElement)) as [
  HTMLInputElement,
  HTMLInputElement,
];
const language = element('language', HTMLSelectElement);

element('form', HTMLFormElement).addEventListener('submit', (event) => {
  event.preventDefault();
  const origin = serverOrigin(server.value);
  if (origin === null)
    return fail(
      server,
      'The address of a server begins with https://. Only a server on this computer may use http://.',
    );
  const apiKey = key.value.trim();
  if (apiKey === '') return fail(key, 'Enter the API key.');
  // A browser shows a permission request only during a user action, so before any `await`.
  const allowed = chrome.permissions.request(permissionFor(origin));
  void check(origin, apiKey, allowed);
});

element('forget', HTMLButtonElement).addEventListener('click', () => void forget());
void show();

async function show(): Promise<void> {
  const settings = await readSettings();
  if (!settings) return server.focus();
  server.value = settings.server;
  key.value = settings.apiKey;
  language.value = settings.language;
  await offerLanguages(settings.server, settings.apiKey, settings.language).catch(() => {});
}

async function check(origin: string, apiKey: string, allowed: Promise<boolean>): Promise<void> {
  showState('Checking…');
  try {
    if (!(await allowed))
      return showState('Without the browser’s permission the server cannot be called.', true);
    const { imageCount, dailyLimit, period } = await new Glyphlift({
      baseUrl: origin,
      apiKey,
      maxRetries: 1,
    }).usage();
    const before = await readSettings();
    await saveSettings({ server: origin, apiKey, language: language.value });
    if (before && before.server !== origin) await chrome.permissions.remove(permissionFor(before.server));
    await offerLanguages(origin, apiKey, language.value);
    showState(
      `Saved. ${imageCount.toLocaleString('en')} of ${counted(dailyLimit, 'extraction')} of this ${period} used.`,
    );
  } catch (error) {
    showState(explain(error, origin), true);
  }
}

async function offerLanguages(origin: string, apiKey: string, chosen: string): Promise<void> {
  const all = await new Glyphlift({ baseUrl: origin, apiKey, maxRetries: 1 }).languages();
  language.replaceChildren(
    ...all
      .filter(({ allowed }) => allowed)
      .map(({ name, code }) => new Option(name, code, false, code === chosen)),
  );
}

async function forget(): Promise<void> {
  const settings = await readSettings();
  await forgetSettings();
  if (settings) await chrome.permissions.remove(permissionFor(settings.server));
  server.value = '';
  key.value = '';
  showState('The server and its key were deleted from this browser.');
}

function fail(field: HTMLInputElement, problem: string): void {
  showState(problem, true);
  field.focus();
}
