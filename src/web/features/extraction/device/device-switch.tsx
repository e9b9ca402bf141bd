import { useEffect, useId, useRef, useState, useSyncExternalStore } from 'react';
import { useOnline } from '../../../ui/basics/browser-state.ts';
import { Button } from '../../../ui/basics/button.tsx';
import { Progress } from '../../../ui/basics/progress.tsx';
import { Switch } from '../../../ui/basics/switch.tsx';
import { chooseDevice, deviceChoice } from '../tool/device-choice.ts';
import { countWaiting } from './device-count.ts';
import { DEVICE_BYTES, hasDeviceFiles, openDeviceFiles, removeDeviceFiles } from './device-files.ts';

/** Gigabytes; a device with this much or less is asked first. */
const LITTLE_MEMORY = 4;
/** Of all files as they are sent, compressed. */
const MEGABYTES = 14;

interface DeviceSwitchProps {
  disabled: boolean;
  /** The server has no room for the picture right now. */
  serverIsBusy: boolean;
}

const canRead = () =>
  typeof Worker === 'function' &&
  typeof OffscreenCanvas === 'function' &&
  typeof DecompressionStream === 'function' &&
  'caches' in globalThis;

const hasLittleMemory = () => {
  const { deviceMemory } = navigator as { deviceMemory?: number };
  return deviceMemory !== undefined && deviceMemory <= LITTLE_MEMORY;
};

type Fetching = { share: number } | 'asks' | 'failed' | null;

/** Whether pictures are read on this device, and the files for it: fetched once, and removed at a press. */
export function DeviceSwitch({ disabled, serverIsBusy }: DeviceSwitchProps) {
  const id = useId();
  const isOn = useSyncExternalStore(deviceChoice.subscribe, deviceChoice.get, () => false);
  const isOnline = useOnline();
  const [isHere, setHere] = useState(false);
  const [fetching, setFetching] = useState<Fetching>(null);
  const leaving = useRef<AbortController>(null);

  useEffect(() => {
    hasDeviceFiles().then(setHere, () => {});
    return () => leaving.current?.abort();
  }, []);
  useEffect(() => {
    if (isOnline) void countWaiting();
  }, [isOnline]);
  if (!canRead()) return null;

  const fetchFiles = async () => {
    leaving.current = new AbortController();
    const { signal } = leaving.current;
    setFetching({ share: 0 });
    try {
      await openDeviceFiles((bytes) => setFetching({ share: bytes / DEVICE_BYTES }), signal);
      setHere(true);
      setFetching(null);
      chooseDevice(true);
    } catch {
      setFetching(signal.aborted ? null : 'failed');
    }
  };
  const turn = (on: boolean) => {
    if (!on) {
      leaving.current?.abort();
      chooseDevice(false);
    } else if (isHere) chooseDevice(true);
    else if (hasLittleMemory() && fetching !== 'asks') setFetching('asks');
    else void fetchFiles();
  };
  const remove = async () => {
    chooseDevice(false);
    await removeDeviceFiles();
    setHere(false);
  };
  const isFetching = fetching !== null && typeof fetching === 'object';
  const offer = !isOn && !isFetching && isHere && !isOnline ? 'You are offline.' : null;
  const busy = !isOn && !isFetching && serverIsBusy ? 'The server is busy.' : null;
  return (
    <div className="grid gap-2">
      <div className="flex items-center justify-between gap-4 md:justify-start md:gap-6">
        <div>
          <label htmlFor={id} className="font-medium">
            Read on this device
          </label>
          <p id={`${id}-hint`} className="text-sm text-ink-soft">
            {isHere
              ? 'English only; neither the picture nor its text is sent'
              : `English only; neither the picture nor its text is sent. Fetches ${MEGABYTES} MB, once`}
          </p>
        </div>
        <Switch
          id={id}
          aria-describedby={`${id}-hint`}
          checked={isOn || isFetching}
          onCheckedChange={turn}
          disabled={disabled}
        />
      </div>
      {isFetching && (
        <div className="flex items-center gap-4">
          <Progress value={Math.round(fetching.share * 100)} label="Fetching what this device needs" />
          <Button variant="quiet" onClick={() => turn(false)}>
            Cancel
          </Button>
        </div>
      )}
      <div role="status" className="flex flex-wrap items-center gap-x-4 text-sm text-ink-soft empty:hidden">
        {fetching === 'asks' && (
          <>
            This device has little memory, and reading may take long.
            <Button variant="secondary" size="small" onClick={() => turn(true)}>
              Read here all the same
            </Button>
          </>
        )}
        {fetching === 'failed' && 'Not everything has arrived. Switch it on again to fetch the rest.'}
        {(offer ?? busy) && (
          <>
            {offer ?? busy}
            <Button variant="secondary" size="small" onClick={() => turn(true)}>
              Read on this device
            </Button>
          </>
        )}
        {isHere && !isOn && !offer && !busy && (
          <Button variant="quiet" size="small" onClick={() => void remove()}>
            Remove its files from this device
          </Button>
        )}
      </div>
    </div>
  );
}
