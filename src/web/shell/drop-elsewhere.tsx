import { useCallback } from 'react';
import { PAGES } from '#contract/paths';
import { DropVeil, passFiles, useFileIntake } from '../features/extraction/intake/file-intake.tsx';
import { useNavigate } from '../router/router.tsx';

/** Accepts files that are dropped on a page without the tool: opens the start page and chooses them there. */
export function DropElsewhere() {
  const navigate = useNavigate();
  const open = useCallback(
    (files: readonly File[]) => {
      passFiles(files);
      void navigate(PAGES.home);
    },
    [navigate],
  );
  return useFileIntake(open) ? <DropVeil /> : null;
}
