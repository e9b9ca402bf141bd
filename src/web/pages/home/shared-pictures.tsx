import { useEffect, useState } from 'react';
import { takeSharedPictures } from '../../offline/registration.ts';
import { Alert } from '../../ui/basics/alert.tsx';
import { Button } from '../../ui/basics/button.tsx';
import { counted } from '../../ui/basics/words.ts';

/** `taken`: the service worker keeps the pictures until the page fetches them; `too-many`: it rejected them. */
export type ShareOutcome = 'taken' | 'too-many';

/** Offers pictures that another app shared. They are not listed, sent or stored until the visitor takes them. */
export function SharedPictures({ outcome }: { outcome: ShareOutcome }) {
  const [pictures, setPictures] = useState<readonly File[]>([]);
  const [isRefused, setRefused] = useState(outcome === 'too-many');
  useEffect(() => {
    if (outcome !== 'taken') return;
    takeSharedPictures().then(setPictures, () => {});
  }, [outcome]);

  const take = () => {
    setPictures([]);
    choose(pictures);
  };
  if (isRefused) {
    return (
      <section aria-label="Shared pictures" className="mb-5">
        <Alert
          title="The shared pictures were not taken"
          action={
            <Button variant="ghost" size="small" onClick={() => setRefused(false)}>
              Close
            </Button>
          }
        >
          At most 10 pictures and 50 MB can be shared at once.
        </Alert>
      </section>
    );
  }
  if (pictures.length === 0) return null;
  return (
    <section aria-label="Shared pictures" className="mb-5">
      <Alert
        title={`Take ${counted(pictures.length, 'shared picture')}?`}
        action={
          <div className="flex flex-wrap gap-2">
            <Button variant="secondary" size="small" onClick={take}>
              Take
            </Button>
            <Button variant="ghost" size="small" onClick={() => setPictures([])}>
              Discard
            </Button>
          </div>
        }
      >
        <span className="line-clamp-2 break-words">{pictures.map(({ name }) => name).join(', ')}</span>
      </Alert>
    </section>
  );
}

/** Puts the pictures into the file input of the tool. */
function choose(pictures: readonly File[]): void {
  const field = document.querySelector<HTMLInputElement>('input[type=file]');
  if (!field) return;
  const files = new DataTransfer();
  for (const picture of pictures) files.items.add(picture);
  field.files = files.files;
  field.dispatchEvent(new Event('change', { bubbles: true }));
}
