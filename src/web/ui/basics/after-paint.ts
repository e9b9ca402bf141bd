/** A hidden page paints nothing. */
const AT_MOST_MS = 100;

/** Resolves once pending changes are painted: for work after a press that need not delay its feedback. */
export const afterPaint = () =>
  new Promise<void>((resolve) => {
    const unseen = setTimeout(resolve, AT_MOST_MS);
    requestAnimationFrame(() => {
      clearTimeout(unseen);
      setTimeout(resolve);
    });
  });
