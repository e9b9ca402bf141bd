import { createStore } from '../../../state/create-store.ts';

const KEY = 'read-on-device';

/**
 * Whether pictures are read on this device, so that neither they nor their texts are sent. Null if no files were fetched for
 * that.
 */
export const deviceChoice = createStore<boolean | null>(recall());

function recall(): boolean | null {
  try {
    const kept = localStorage.getItem(KEY);
    return kept === null ? null : kept === '1';
  } catch {
    // On the server, or in a browser without local storage.
    return null;
  }
}

export function chooseDevice(isOn: boolean | null): void {
  deviceChoice.set(isOn);
  try {
    if (isOn === null) localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, isOn ? '1' : '0');
  } catch {
    // A browser without local storage forgets the choice.
  }
}
