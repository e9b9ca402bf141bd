/** Legal texts, made into modules by `scripts/legal-documents.ts`. */
declare module '*.md' {
  export const title: string;
  export const description: string;
  /** `{{supportEmail}}` stands for the support address. */
  export const body: readonly import('./ui/parse-markdown.ts').MarkdownNode[];
}

/** What is said of one, without the text. */
declare module '*.md?about' {
  export const title: string;
  export const description: string;
}
