import { type ComponentType, lazy, Suspense, useState } from 'react';

/*
 * Parts of a page that are only read: the server draws them, and the browser leaves them as they came, without their code,
 * their data or a look at their elements. Links in them work, since the router hears of every link at the document.
 */

/** A part that needs no script; its code comes when the page is reached from another one. */
export interface StillPart<Props extends object = object> {
  (props: Props): React.ReactNode;
  /** Must be done before the part is drawn anew: on the server, and after a navigation. */
  load: () => Promise<void>;
}

const inBrowser = typeof document !== 'undefined';
let takingOver = false;

/** The page is about to take over what the server drew. */
export function beginTakingOver(): void {
  takingOver = true;
}

/** From now on everything is drawn here. */
export function endTakingOver(): void {
  takingOver = false;
}

/** What is drawn now is drawn with what the server knows at this moment: on the server itself, and where the page takes over. */
export const isOfThisMoment = (): boolean => !inBrowser || takingOver;

/** React compares the inside of such an element with nothing, and so leaves it alone. */
const AS_IT_CAME = { __html: '' };

/** @param open imports the part's code. Nothing in it may answer to presses but links. */
export function still<Props extends object>(open: () => Promise<ComponentType<Props>>): StillPart<Props> {
  let Part: ComponentType<Props> | null = null;
  const load = async () => {
    Part ??= await open();
  };
  const Late = lazy(async () => ({ default: await open() }));

  // biome-ignore lint/correctness/noComponentHookFactories: called where a module begins, once for each part
  function Still(props: Props) {
    const [isDrawn] = useState(() => inBrowser && takingOver);
    if (isDrawn) {
      // biome-ignore lint/security/noDangerouslySetInnerHtml: nothing is set; that is how React is told to leave it alone
      return <div className="contents" suppressHydrationWarning dangerouslySetInnerHTML={AS_IT_CAME} />;
    }
    return (
      <div className="contents">
        {Part ? (
          <Part {...props} />
        ) : (
          <Suspense>
            <Late {...props} />
          </Suspense>
        )}
      </div>
    );
  }
  return Object.assign(Still, { load });
}
