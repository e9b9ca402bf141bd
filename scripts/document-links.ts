import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

/** Folders with Markdown documents; those in the root folder are found by their extension. */
const FOLDERS = ['.github', 'bench', 'content', 'deploy', 'docs', 'src', 'tests', 'training'];

const HAS_SCHEME = /^([a-z][a-z\d+.-]*:|\/\/)/i;

/** Texts that the product shows, in which a path such as `/premium` is a URL path and not a file. */
const SITE_CONTENT = /^content\//;

/** The Markdown files of the project, as paths from its root folder. */
export function findDocuments(root: string): string[] {
  const inRoot = readdirSync(root).filter((name) => name.endsWith('.md'));
  const inFolders = FOLDERS.filter((folder) => existsSync(join(root, folder))).flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.md'))
      .map((name) => join(folder, name)),
  );
  return [...inRoot, ...inFolders].sort();
}

export interface Outline {
  /** The targets of links and pictures, as written. */
  links: string[];
  /** Anchors that a link to this document may have. */
  anchors: Set<string>;
}

const CODE_BLOCK = /^ *(`{3,}|~{3,})[^\n]*\n[\s\S]*?^ *\1 *$/gm;
const COMMENT = /<!--[\s\S]*?-->/g;
const INLINE_CODE = /(`+)[^`][\s\S]*?\1/g;
const LINK = /\]\(<?([^)\s>]+)>?(?:\s+"[^"]*")?\)/g;
const DEFINITION = /^\[[^\]]+\]: *(\S+)/gm;
const HTML_TARGET = /<[a-z][^>]*?\s(?:href|src|srcset)="([^"]*)"/g;
const HTML_ANCHOR = /<[a-z][^>]*?\s(?:id|name)="([^"]*)"/g;
const HEADING = /^#{1,6} (.*)$/gm;

/** Parses only the syntax that the documents use, because a Markdown parser is twenty times slower. */
export function outlineOf(markdown: string): Outline {
  const text = markdown.replaceAll(CODE_BLOCK, '').replaceAll(COMMENT, '');
  const withoutCode = text.replaceAll(INLINE_CODE, '');
  const found = (pattern: RegExp, within: string) =>
    [...within.matchAll(pattern)].map((match) => match[1] ?? '');
  const anchors = new Set(found(HTML_ANCHOR, withoutCode));
  for (const heading of found(HEADING, text)) anchors.add(freeAnchor(anchorOf(heading), anchors));
  return {
    links: [LINK, DEFINITION, HTML_TARGET].flatMap((pattern) => found(pattern, withoutCode)),
    anchors,
  };
}

/** The anchor that GitHub gives to a heading. */
const anchorOf = (heading: string): string =>
  heading
    .replaceAll(/\]\([^)]*\)/g, ']')
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
    .replaceAll(' ', '-');

/** GitHub appends a number to the anchors of further headings with the same text. */
function freeAnchor(anchor: string, taken: ReadonlySet<string>): string {
  if (!taken.has(anchor)) return anchor;
  let number = 1;
  while (taken.has(`${anchor}-${number}`)) number++;
  return `${anchor}-${number}`;
}

/** @returns each link to a missing file or heading, as `document: target`. */
export function findBrokenLinks(root: string, documents: readonly string[]): string[] {
  const outlines = new Map<string, Outline>();
  const outline = (file: string): Outline => {
    const known = outlines.get(file) ?? outlineOf(readFileSync(join(root, file), 'utf8'));
    outlines.set(file, known);
    return known;
  };
  const isBroken = (from: string, link: string): boolean => {
    if (HAS_SCHEME.test(link) || (link.startsWith('/') && SITE_CONTENT.test(from))) return false;
    const [path = '', anchor = ''] = decodeURIComponent(link).split('#');
    const target = path.startsWith('/') ? join(root, path) : resolve(root, dirname(from), path);
    const file = path === '' ? from : relative(root, target);
    if (file.startsWith('..') || !existsSync(join(root, file))) return true;
    if (anchor === '' || !file.endsWith('.md') || statSync(join(root, file)).isDirectory()) return false;
    return !outline(file).anchors.has(anchor);
  };
  return documents.flatMap((document) =>
    outline(document)
      .links.filter((link) => isBroken(document, link))
      .map((link) => `${document}: ${link}`),
  );
}
