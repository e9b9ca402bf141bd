import { useEffect, useEffectEvent } from 'react';
import { PROGRESS_INTERVAL_MS } from '#contract/product';
import type { Attempt, ReadingOptions } from '../../../workspace/reading.ts';
import type { ExtractionEvent, ExtractionState } from './extraction-state.ts';
import { type Rejection, type Remedy, rejectionOf } from './image-file.ts';

/* What a picture needs, alone or in a batch: inspection of its file, repair, attempts and progress. */

const loadFileProblems = () => import('../choose/file-problems.ts');

/** What is wrong with a file, or worth knowing about it, with a remedy if there is one; null for an image. */
export async function inspectFile(file: File): Promise<Rejection | null> {
  const refused = rejectionOf(file);
  return loadFileProblems().then(
    ({ inspect }) => inspect(file, refused),
    () => refused,
  );
}

/** Applies the remedy of a refused file. Returns the repaired file; null if that failed, which is reported. */
export async function repairFile(
  problem: Rejection,
  remedy: Remedy,
  report: (event: ExtractionEvent) => void,
): Promise<File | null> {
  const busy = { ...problem, remedy: { ...remedy, underWay: 'One moment...' } };
  report({ type: 'rejected', problem: busy });
  const made = await (await loadFileProblems()).applyRemedy(remedy);
  if (made instanceof File) return made;
  report({ type: 'explained', problem: busy, more: { remedy, ...made } });
  return null;
}

export const newAttempt = ({ useFiltering, languages }: ReadingOptions): Attempt => ({
  extractionId: crypto.randomUUID(),
  idempotencyKey: crypto.randomUUID(),
  useFiltering,
  languages,
});

/** After a lost connection the same attempt again, so that it is counted once; otherwise a new one. */
export const attemptFor = (
  state: ExtractionState,
  options: ReadingOptions,
  create: typeof newAttempt = newAttempt,
): Attempt => (state.status === 'failed' && state.failure.status === null ? state.attempt : create(options));

export function useProgressTicks(isRunning: boolean, tick: () => void): void {
  const onTick = useEffectEvent(tick);
  useEffect(() => {
    if (!isRunning) return;
    const timer = setInterval(() => onTick(), PROGRESS_INTERVAL_MS);
    return () => clearInterval(timer);
  }, [isRunning]);
}
