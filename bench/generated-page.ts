/** Writes generated parts of documentation pages. */

/** Replaces the text between two markers of a page. @throws if the page has no such markers */
export function between(page: string, name: string, text: string): string {
  const [begins, ends] = [`<!-- ${name}: written by the bench -->`, `<!-- /${name} -->`];
  const [from, to] = [page.indexOf(begins), page.indexOf(ends)];
  if (from < 0 || to < from) throw new Error(`The page has no place for ${name}.`);
  return `${page.slice(0, from + begins.length)}\n\n${text}\n\n${page.slice(to)}`;
}

/** A Markdown table. */
export const table = (head: readonly string[], rows: readonly (readonly string[])[]) =>
  [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');

export const day = (moment: string) => moment.slice(0, 10);

export interface Machine {
  cpu: string;
  cores: number;
  /** Load average at the start. */
  load: number;
  node: string;
}

export const machineInWords = ({ cpu, cores, node }: Machine) =>
  `${cores} cores (${cpu}), Node ${node.slice(1)}`;
