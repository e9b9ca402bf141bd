/** Legal texts, made into modules by `scripts/legal-documents.ts`. */
declare module '*.md' {
  export const title: string;
  export const description: string;
  /** `{{supportEmail}}` stands for the support address. */
  export const body: readonly import('./ui/markdown/parse-markdown.ts').MarkdownNode[];
}

/** Title and description of a legal text, without its body. */
declare module '*.md?about' {
  export const title: string;
  export const description: string;
}

/** Code examples as text. */
declare module '*?raw' {
  const text: string;
  // biome-ignore lint/style/noDefaultExport: Vite exports the text as the default
  export default text;
}
