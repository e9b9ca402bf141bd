/** Collects the license texts of packages whose code is part of distributed files. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from './bootstrap.mjs';

/**
 * A Markdown document with a section for each package.
 * @param {readonly string[]} places in `node_modules`
 * @throws {Error} for a package without a license text and without the name of a known license
 */
export async function licensesOf(places) {
  const sections = await Promise.all(places.map(sectionOf));
  return `# Licenses of bundled code\n\n${sections.join('\n')}`;
}

/** @param {string} place */
async function sectionOf(place) {
  const folder = join(root, 'node_modules', place);
  const { name, version, license, author } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
  const files = (await readdir(folder)).filter((file) => /^(licen[cs]e|copying|notice)/i.test(file));
  const texts = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')));
  if (texts.length === 0) texts.push(await standardText(name, license, author));
  const quoted = texts.map((text) => `\`\`\`text\n${text.trim()}\n\`\`\`\n`).join('\n');
  return `## ${name} ${version}\n\n${quoted}`;
}

/**
 * For packages that name the MIT license without its text.
 * @param {string} name
 * @param {unknown} license
 * @param {string | { name: string } | undefined} author
 */
async function standardText(name, license, author) {
  if (license !== 'MIT') throw new Error(`${name} has no license text, and its license is ${license}`);
  const [, terms] = (await readFile(join(root, 'LICENSE'), 'utf8')).split(/Copyright.*\n/);
  const holder = typeof author === 'object' ? author.name : (author ?? `the authors of ${name}`);
  return `MIT License\n\nCopyright (c) ${holder}\n${terms}`;
}
