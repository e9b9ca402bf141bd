import { createStore } from '../../../state/create-store.ts';

const KEY = 'read-on-device';

/** Whether pictures are read on this device. Then neither they nor their text are sent. */
export const deviceChoice = createStore<boolean>(recall());

function recall(): boolean {
  try {
    return localStorage.getItem(KEY) !== null;
  } catch {
    // No browser, or one that stores nothing.
    return false;
  }
}

export function chooseDevice(isOn: boolean): void {
  deviceChoice.set(isOn);
  try {
    if (isOn) localStorage.setItem(KEY, '1');
    else localStorage.removeItem(KEY);
  } catch {
    // A browser that stores nothing asks again next time.
  }
}
