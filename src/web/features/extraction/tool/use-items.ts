import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { UnfinishedBatch } from '../../../history/batch-store.ts';
import { useEventCallback } from '../../../ui/basics/events.ts';
import { dismiss } from '../../../ui/toast/toast-store.ts';
import type { Batch } from '../batch/batch.ts';
import { takePassedFiles, useFileIntake } from '../intake/file-intake.tsx';
import { NO_FILE, PAGES_NOT_LOADED, type Rejection, type Remedy } from './image-file.ts';
import { SHOWN } from './items-state.ts';
import { batchCode, enterTool, loadBatch, toolOf } from './tool.ts';

type Pasted = typeof import('../choose/pasted.ts');

const FIRST_ONLY: Rejection = {
  title: 'Only the first picture was chosen',
  description: 'The list for several files could not be loaded. Check your connection and try again.',
};

/**
 * The pictures of the tool, and functions that choose files: a single file is shown in the form, several files in a list,
 * whose code is loaded then.
 */
export function useItems() {
  const queries = useQueryClient();
  const [tool] = useState(() => toolOf(queries));
  const { items, workbench } = tool;
  const [state, setState] = useState(items.state);
  // Not `useSyncExternalStore`: it would render a text before its toast, and the toast's position depends on elements that
  // appear after the toast.
  useEffect(() => items.observe(setState), [items]);
  const { list } = state;
  useEffect(() => enterTool(queries, tool), [queries, tool]);

  const withBatch = (use: (batch: Batch) => void, onFailure: () => void) =>
    void loadBatch(queries, tool).then(use, onFailure);
  const openPages = (pages: File) =>
    withBatch(
      (batch) => batch.openPages(pages),
      () => items.reject(PAGES_NOT_LOADED),
    );
  const choose = async (file: File) => {
    const pages = await items.choose(file);
    if (pages) openPages(pages);
  };
  const take = useEventCallback((files: readonly File[]) => {
    const [first, ...others] = files;
    if (!first) return;
    if (list) tool.batch?.addFiles(files);
    else if (others.length === 0) void choose(first);
    else
      withBatch(
        (batch) => batch.open(files),
        () => {
          void choose(first);
          items.reject(FIRST_ONLY);
        },
      );
  });
  const takeFound = async (find: (pasted: Pasted) => Promise<File | Rejection>) => {
    const found = await import('../choose/pasted.ts').then(find).catch(() => NO_FILE);
    if (found instanceof File) take([found]);
    else items.reject(found);
  };
  const takePasted = useEventCallback((files: readonly File[], text: string) => {
    if (files.length > 0) take(files);
    else if (/^\s*https?:/.test(text) || (state.shown.status === 'idle' && !list))
      void takeFound(({ pictureAt }) => pictureAt(text));
  });
  const isHovering = useFileIntake(take, takePasted);
  useEffect(() => take(takePassedFiles()), [take]);

  const remedy = async (problem: Rejection, step: Remedy) => {
    dismiss();
    if (step.kind === 'open-pages') return openPages(step.file);
    const repaired = await items.repair(SHOWN, problem, step);
    if (repaired) await choose(repaired);
  };
  /** Opens unfinished files of an earlier visit. Rejects if the code of lists cannot be loaded. */
  const resume = async (unfinished: UnfinishedBatch) => {
    const [first] = unfinished.entries;
    if (unfinished.isPicture && first && 'file' in first) void choose(first.file);
    else (await loadBatch(queries, tool)).resume(unfinished);
  };

  const BatchPanel = list && batchCode.get()?.BatchPanel;
  return {
    ...state,
    items,
    workbench,
    batch: tool.batch,
    BatchPanel,
    isHovering,
    take,
    paste: () => void takeFound(({ fromClipboard }) => fromClipboard()),
    photograph: () => void takeFound(({ photograph }) => photograph()),
    choose: (file: File) => void choose(file),
    remedy: (problem: Rejection, step: Remedy) => void remedy(problem, step),
    resume,
  };
}
