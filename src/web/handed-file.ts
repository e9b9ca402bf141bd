/* A file that was let go above a page without the tool, on its way to the page with it. */

let handed: File | null = null;

export function handFile(file: File): void {
  handed = file;
}

/** The file that was handed over, once. */
export function takeHandedFile(): File | null {
  const file = handed;
  handed = null;
  return file;
}
