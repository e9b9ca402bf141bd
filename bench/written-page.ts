/** Parts of pages that benches write. */

/** A page with the text between two of its markers replaced. @throws where the page has no such markers */
export function between(page: string, name: string, text: string): string {
  const [begins, ends] = [`<!-- ${name}: written by the bench -->`, `<!-- /${name} -->`];
  const [from, to] = [page.indexOf(begins), page.indexOf(ends)];
  if (from < 0 || to < from) throw new Error(`The page has no place for ${name}.`);
  return `${page.slice(0, from + begins.length)}\n\n${text}\n\n${page.slice(to)}`;
}

/** Markdown. */
export const table = (head: readonly string[], rows: readonly (readonly string[])[]) =>
  [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');

export const day = (moment: string) => moment.slice(0, 10);

export interface Machine {
  cpu: string;
  cores: number;
  /** Processes that were running or waited for a core, when it began. */
  load: number;
  node: string;
}

export const machineInWords = ({ cpu, cores, node }: Machine) =>
  `${cores} cores (${cpu}), Node ${node.slice(1)}`;
