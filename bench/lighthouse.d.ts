/** Types of the used part of Lighthouse, which is installed only for `pages.ts`. */
declare module 'lighthouse' {
  interface Audit {
    title: string;
    score: number | null;
    displayValue?: string;
    numericValue?: number;
  }

  interface Report {
    runtimeError?: { code: string };
    environment: { benchmarkIndex: number };
    audits: Readonly<Record<string, Audit>>;
    categories: Readonly<
      Record<string, { score: number | null; auditRefs: { id: string; weight: number }[] }>
    >;
  }

  // biome-ignore lint/style/noDefaultExport: that is how the package hands it out
  export default function lighthouse(
    url: string,
    flags: { port: number; logLevel: 'silent'; extraHeaders?: Record<string, string> },
  ): Promise<{ lhr: Report } | undefined>;
}
