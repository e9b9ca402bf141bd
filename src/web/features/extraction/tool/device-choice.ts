import { createStore } from '../../../state/create-store.ts';

const KEY = 'read-on-device';

/**
 * Whether pictures are read on this device: then neither they nor their text are sent. Null where nothing was fetched for it.
 */
export const deviceChoice = createStore<boolean | null>(recall());

function recall(): boolean | null {
  try {
    const kept = localStorage.getItem(KEY);
    return kept === null ? null : kept === '1';
  } catch {
    // No browser, or one that stores nothing.
    return null;
  }
}

export function chooseDevice(isOn: boolean | null): void {
  deviceChoice.set(isOn);
  try {
    if (isOn === null) localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, isOn ? '1' : '0');
  } catch {
    // A browser that stores nothing asks again next time.
  }
}
