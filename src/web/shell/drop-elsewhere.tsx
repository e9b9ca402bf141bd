import { useCallback } from 'react';
import { PAGES } from '#contract/paths';
import { DropVeil } from '../features/recognition/drop-veil.tsx';
import { useFileIntake } from '../features/recognition/use-file-intake.ts';
import { handFiles } from '../handed-files.ts';
import { useNavigate } from '../router.tsx';

/** On pages without the tool: files that are let go open the page with it, and are chosen there. */
export function DropElsewhere() {
  const navigate = useNavigate();
  const open = useCallback(
    (files: readonly File[]) => {
      handFiles(files);
      void navigate(PAGES.home);
    },
    [navigate],
  );
  return useFileIntake(open) ? <DropVeil /> : null;
}
