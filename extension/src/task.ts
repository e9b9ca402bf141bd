/** An image to read, or an error, from the background script to the result window. */
export type Task = { picture: Picture } | { problem: string };

export interface Picture {
  dataUrl: string;
  /** Where the picture came from: as a file, or as the screen shows it. */
  source: 'file' | 'screen';
  /** Whether a part of it was off the screen. */
  isPart: boolean;
}

export interface TaskRequest {
  type: 'task';
  id: string;
}
