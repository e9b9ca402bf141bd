/**
 * Types of the used part of tesseract.js, which is installed only for `tesseract-js.mjs`.
 */
declare module 'tesseract.js' {
  export const OEM: { LSTM_ONLY: number };
  export const PSM: { AUTO: string };

  export interface Worker {
    setParameters(parameters: { tessedit_pageseg_mode: string }): Promise<unknown>;
    recognize(picture: Uint8Array): Promise<{ data: { text: string } }>;
    terminate(): Promise<unknown>;
  }

  export function createWorker(
    languages: string,
    mode: number,
    options: { langPath: string; cacheMethod: 'none'; gzip: boolean; errorHandler: (error: unknown) => void },
  ): Promise<Worker>;
}
