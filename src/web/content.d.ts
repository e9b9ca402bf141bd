/** Legal texts, made into modules by `scripts/legal-documents.ts`. */
declare module '*.md' {
  export const title: string;
  export const description: string;
  /** `{{supportEmail}}` stands for the support address. */
  export const body: readonly import('./ui/markdown/parse-markdown.ts').MarkdownNode[];
}

/** Title and description of one, without the text. */
declare module '*.md?about' {
  export const title: string;
  export const description: string;
}

/** Code examples as text. */
declare module '*?raw' {
  const text: string;
  // biome-ignore lint/style/noDefaultExport: that is how the bundler hands a file's text over
  export default text;
}
