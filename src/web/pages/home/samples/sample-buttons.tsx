import { useEffect, useRef } from 'react';
import { Button } from '../../../ui/basics/button.tsx';
import { toast } from '../../../ui/toast/toast-store.ts';
import type { RecognitionResult } from '../../../workspace/reading.ts';
import code from './code-small.webp';
import type { SampleName } from './open-sample.ts';
import receipt from './receipt-small.webp';
import table from './table-small.webp';

const SAMPLES: readonly (readonly [name: SampleName, thumbnail: string])[] = [
  ['Receipt', receipt],
  ['Table', table],
  ['Code', code],
];

/** Sample pictures. Each opens with its recorded result; nothing is sent to the server or counted. */
export function SampleButtons({ onOpen }: { onOpen: (reading: RecognitionResult) => void }) {
  const isUnmounted = useRef(false);
  // Another picture may be chosen while a sample loads.
  useEffect(() => {
    isUnmounted.current = false;
    return () => {
      isUnmounted.current = true;
    };
  }, []);
  const open = async (name: SampleName) => {
    try {
      const { openSample } = await import('./open-sample.ts');
      const reading = await openSample(name);
      if (!isUnmounted.current) onOpen(reading);
    } catch {
      toast({
        title: 'The sample could not be loaded',
        description: 'Check your connection and try again.',
        variant: 'destructive',
      });
    }
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset's legend cannot be in one line with the buttons
    <div
      role="group"
      aria-label="Samples"
      className="flex flex-wrap items-center gap-1.5 text-sm text-ink-soft md:gap-2"
    >
      <span className="mr-1 max-md:basis-full">Try:</span>
      {SAMPLES.map(([name, thumbnail]) => (
        <Button
          key={name}
          variant="secondary"
          size="small"
          className="max-md:px-1.5"
          onClick={() => void open(name)}
        >
          <img
            src={thumbnail}
            alt=""
            width={28}
            height={28}
            loading="lazy"
            className="size-6 rounded-sm md:size-7"
          />
          {name}
        </Button>
      ))}
    </div>
  );
}
