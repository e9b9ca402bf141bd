import { useEffect, useId, useRef, useState, useSyncExternalStore } from 'react';
import { BUILT_IN_LANGUAGE } from '#contract/languages';
import { useOnline } from '../../../ui/basics/browser-state.ts';
import { Button, Switch } from '../../../ui/basics/button.tsx';
import { Progress } from '../../../ui/basics/display.tsx';
import { focusInstead } from '../../../ui/basics/events.ts';
import { chooseDevice, deviceChoice } from '../tool/device-choice.ts';
import { isHeic } from '../tool/image-file.ts';
import {
  DEVICE_BYTES,
  hasDeviceFiles,
  hasHeicDecoder,
  openDeviceFiles,
  removeDeviceFiles,
} from './device-files.ts';
import { describeDeviceLanguage } from './device-languages.ts';

/** Gigabytes. On a device with this memory or less, the user has to confirm. */
const LITTLE_MEMORY = 4;
/** Compressed size of all files. */
const MEGABYTES = 14;
/** Compressed size of the HEIC decoder. */
const HEIC_MEGABYTES = 0.5;

interface DeviceSwitchProps {
  /** The chosen picture. */
  file: File | null;
  /** The languages of the next picture; empty for English. */
  languages: readonly string[];
  disabled: boolean;
  /** The server was too busy to read the picture. */
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

type Fetching = { share: number } | 'confirming' | 'failed' | null;

/** The description and the download size of the chosen languages; null for English. */
function useLanguageInfo([code, ...others]: readonly string[]): { words: string; megabytes: number } | null {
  const [known, setKnown] = useState<{ code: string; words: string; megabytes: number } | null>(null);
  const isEnglish = code === undefined || code === BUILT_IN_LANGUAGE;
  useEffect(() => {
    if (isEnglish) return;
    const leaving = new AbortController();
    describeDeviceLanguage(code, leaving.signal).then(
      ({ name, bytes, isHere }) =>
        setKnown({ code, words: `Reads ${name} here`, megabytes: isHere ? 0 : bytes / 1e6 }),
      () => {},
    );
    return () => leaving.abort();
  }, [code, isEnglish]);
  if (others.length > 0) return { words: 'One language at a time', megabytes: 0 };
  if (isEnglish) return null;
  return known?.code === code ? known : { words: 'Reads one language', megabytes: 0 };
}

/** Whether opening the picture may fetch the HEIC decoder. */
function useMayFetchHeic(file: File | null): boolean {
  const [isHere, setHere] = useState(false);
  const isChosen = file !== null && isHeic(file);
  useEffect(() => {
    if (isChosen) hasHeicDecoder().then(setHere, () => {});
  }, [isChosen]);
  return isChosen && !isHere;
}

/** The switch to read pictures on this device. Fetches the files for that once, and removes them on request. */
export function DeviceSwitch({ file, languages, disabled, serverIsBusy }: DeviceSwitchProps) {
  const id = useId();
  const isOn = useSyncExternalStore(deviceChoice.subscribe, deviceChoice.get, () => null);
  const isOnline = useOnline();
  const [isHere, setHere] = useState(false);
  const [fetching, setFetching] = useState<Fetching>(null);
  const fetchController = useRef<AbortController>(null);

  useEffect(() => {
    hasDeviceFiles().then(setHere, () => {});
    return () => fetchController.current?.abort();
  }, []);
  const language = useLanguageInfo(languages);
  const mayFetchHeic = useMayFetchHeic(file);
  if (!canRead()) return null;

  const fetchFiles = async () => {
    fetchController.current = new AbortController();
    const { signal } = fetchController.current;
    setFetching({ share: 0 });
    // Received files are stored even if the fetch fails later, so the choice is set now.
    chooseDevice(false);
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
      fetchController.current?.abort();
      chooseDevice(false);
    } else if (isHere) chooseDevice(true);
    else if (hasLittleMemory() && fetching !== 'confirming') setFetching('confirming');
    else void fetchFiles();
  };
  const remove = async () => {
    chooseDevice(null);
    setHere(false);
    await removeDeviceFiles();
    focusInstead(() => document.getElementById(id));
  };
  const megabytes = (isHere ? 0 : MEGABYTES) + (language?.megabytes ?? 0);
  const hint = [
    `${language?.words ?? 'English only'}; neither the picture nor its text is sent`,
    ...(megabytes > 0 ? [`Fetches ${Number(megabytes.toFixed(1))} MB, once`] : []),
    ...(mayFetchHeic ? [`HEIC takes ${HEIC_MEGABYTES} MB more if the browser cannot open it`] : []),
  ].join('. ');
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
            {hint}
          </p>
        </div>
        <Switch
          id={id}
          aria-describedby={`${id}-hint`}
          checked={isOn === true || isFetching}
          onCheckedChange={turn}
          disabled={disabled}
        />
      </div>
      {isFetching && (
        <div className="flex items-center gap-4">
          <Progress value={Math.round(fetching.share * 100)} label="Fetching the files for this device" />
          <Button variant="quiet" onClick={() => turn(false)}>
            Cancel
          </Button>
        </div>
      )}
      <div role="status" className="flex flex-wrap items-center gap-x-4 text-sm text-ink-soft empty:hidden">
        {fetching === 'confirming' && (
          <>
            This device has little memory, and reading may take long.
            <Button variant="secondary" size="small" onClick={() => turn(true)}>
              Read here anyway
            </Button>
          </>
        )}
        {fetching === 'failed' && 'Not all files were received. Switch it on again to fetch the rest.'}
        {(offer ?? busy) && (
          <>
            {offer ?? busy}
            <Button variant="secondary" size="small" onClick={() => turn(true)}>
              Read on this device
            </Button>
          </>
        )}
        {isOn !== null && !isFetching && !disabled && (
          <Button variant="quiet" size="small" onClick={() => void remove()}>
            Remove its files from this device
          </Button>
        )}
      </div>
    </div>
  );
}
