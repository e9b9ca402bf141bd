/** An image to read, or an error, from the background script to the result window. */
export type Task = { picture: Picture } | { problem: string };

export interface Picture {
  dataUrl: string;
  /** Source of the image: a file or a screenshot. */
  source: 'file' | 'screen';
  /** Whether a part of it was outside of the viewport. */
  isPart: boolean;
}

export interface TaskRequest {
  type: 'task';
  id: string;
}
