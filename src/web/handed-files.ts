/* Files that were let go above a page without the tool, on their way to the page with it. */

let handed: readonly File[] = [];

export function handFiles(files: readonly File[]): void {
  handed = files;
}

/** The files that were handed over, once; none where there are none. */
export function takeHandedFiles(): readonly File[] {
  const files = handed;
  handed = [];
  return files;
}
