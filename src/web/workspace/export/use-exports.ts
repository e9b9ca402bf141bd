import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { FORMATS, type FormatId } from '#contract/formats';
import { userQuery } from '../../session/queries.ts';
import { dismiss, toast } from '../../ui/toast/toast-store.ts';
import { saveFile } from './copy-and-save.ts';
import type { ExportSource } from './writer/export-text.ts';

/** Loads the code on the first export. After a failure, the next call tries again. */
export const loadExports = () => import('./writer/export-text.ts');

/** Why a file could not be written. */
export type ExportProblem = { id: FormatId; kind: 'premium' } | { id: FormatId; kind: 'failed'; why: string };

const NOT_LOADED = 'It could not be loaded. Check your connection and try again.';

/**
 * Exports texts in other formats than plain text. `sources` returns the current texts, one for each picture, with the
 * pictures if `withPictures` is true.
 */
export function useExports(
  sources: (withPictures: boolean) => readonly ExportSource[] | Promise<readonly ExportSource[]>,
) {
  const isPremium = useQuery(userQuery).data?.isPremium ?? false;
  const [offered, setOffered] = useState<readonly FormatId[]>([]);
  const [problem, setProblem] = useState<ExportProblem | null>(null);
  const [working, setWorking] = useState(false);

  const prepare = async (): Promise<boolean> => {
    if (working) return false;
    // An older toast would cover the menu on a small screen.
    dismiss();
    setProblem(null);
    setWorking(true);
    try {
      const { formatsFor } = await loadExports();
      setOffered(formatsFor(await sources(false)));
      return true;
    } catch {
      toast({
        title: 'More formats could not be loaded',
        description: 'Your text is still here. Check your connection and try again.',
        variant: 'destructive',
      });
      return false;
    } finally {
      setWorking(false);
    }
  };

  const choose = async (id: FormatId): Promise<void> => {
    const { premium, mediaType, extension, name } = FORMATS[id];
    if (premium && !isPremium) return setProblem({ id, kind: 'premium' });
    setProblem(null);
    setWorking(true);
    try {
      const { writeExport, ExportError } = await loadExports();
      try {
        saveFile({
          content: await writeExport(id, await sources(FORMATS[id].needs === 'picture')),
          mediaType,
          extension,
        });
        toast({ title: 'Downloaded!', description: `${name}, with the current text` });
      } catch (error) {
        const why = error instanceof ExportError ? error.message : NOT_LOADED;
        setProblem({ id, kind: 'failed', why });
      }
    } catch {
      setProblem({ id, kind: 'failed', why: NOT_LOADED });
    } finally {
      setWorking(false);
    }
  };

  return { isPremium, offered, problem, working, prepare, choose, close: () => setProblem(null) };
}

export type Exports = ReturnType<typeof useExports>;
