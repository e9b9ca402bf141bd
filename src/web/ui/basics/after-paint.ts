/** A page that nobody looks at draws nothing. */
const AT_MOST_MS = 100;

/** Once what was changed until now is seen: for what a press sets off and whoever pressed need not wait for. */
export const afterPaint = () =>
  new Promise<void>((resolve) => {
    const unseen = setTimeout(resolve, AT_MOST_MS);
    requestAnimationFrame(() => {
      clearTimeout(unseen);
      setTimeout(resolve);
    });
  });
