/** Settings in `storage.local`, never in `storage.sync`. */
export interface Settings {
  /** Origin of the server, such as `https://read.example.org`. */
  server: string;
  apiKey: string;
  /** Code of the text's language. */
  language: string;
}

/** Null until the options have been saved. */
export async function readSettings(): Promise<Settings | null> {
  const { settings } = await chrome.storage.local.get<{ settings?: Settings }>('settings');
  return settings ?? null;
}

export const saveSettings = (settings: Settings): Promise<void> => chrome.storage.local.set({ settings });

export const forgetSettings = (): Promise<void> => chrome.storage.local.remove('settings');

const LOOPBACK = /^(localhost|127\.0\.0\.1)$/;

/** The origin of an address; null unless it is https or loopback http, so that keys are never sent in the clear. */
export function serverOrigin(address: string): string | null {
  const typed = address.trim();
  const withScheme = /^[a-z]+:\/\//i.test(typed) ? typed : `https://${typed}`;
  if (!URL.canParse(withScheme)) return null;
  const { protocol, hostname, origin, username } = new URL(withScheme);
  const isSafe = protocol === 'https:' || (protocol === 'http:' && LOOPBACK.test(hostname));
  return isSafe && hostname !== '' && username === '' ? origin : null;
}

/** The permission to call a server. Without the port: match patterns of Firefox have none. */
export function permissionFor(server: string): chrome.permissions.Permissions {
  const { protocol, hostname } = new URL(server);
  return { origins: [`${protocol}//${hostname}/*`] };
}
