import { useCallback } from 'react';
import { PAGES } from '#contract/paths';
import { DropVeil } from '../features/recognition/drop-veil.tsx';
import { useFileIntake } from '../features/recognition/use-file-intake.ts';
import { handFile } from '../handed-file.ts';
import { useNavigate } from '../router.tsx';

/** On pages without the tool: a file that is let go opens the page with it, and is chosen there. */
export function DropElsewhere() {
  const navigate = useNavigate();
  const open = useCallback(
    (file: File) => {
      handFile(file);
      void navigate(PAGES.home);
    },
    [navigate],
  );
  return useFileIntake(open) ? <DropVeil /> : null;
}
