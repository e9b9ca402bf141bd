import { strToU8 } from 'fflate';
import { itemAt } from './checked.ts';
import { code, type PdfObjects, utf16 } from './pdf-file.ts';

/** Width of a character, and its ascent and descent, in thousandths of the font's size. */
export const GLYPH = { width: 500, ascent: 800, descent: -200 } as const;
/** A space is stretched like the word before it, so this is about as wide as the gap after a word. */
const SPACE_WIDTH = 250;

const UNITS = 1000;

/** Combining marks have no width, or PDF readers would detect a space after them. */
const isMark = (character: string) => /[\p{Mn}\p{Me}\p{Cf}]/u.test(character);

/**
 * A font without visible glyphs: every character is blank, and all but marks and spaces have the same width. Its ToUnicode
 * CMap maps each code to its character, so that one font serves all scripts, and PDF readers can copy and search the text.
 */
export class GlyphlessFont {
  /** Codes from 1 on, by their character. */
  readonly #codes = new Map<string, number>();

  /**
   * A text as a string in PDF syntax, and its width in thousandths. Characters after the first 65,535 different ones are omitted.
   * `operand` has one character (0 to 255) per byte, which is half as long as a hexadecimal string and compresses better.
   */
  encode(text: string): { operand: string; width: number } {
    let width = 0;
    const codes = Array.from(text, (character) => {
      const known = this.#codes.get(character) ?? this.#codes.size + 1;
      if (known > 0xffff) return '';
      this.#codes.set(character, known);
      if (!isMark(character)) width += character === ' ' ? SPACE_WIDTH : GLYPH.width;
      return String.fromCharCode(known >> 8, known & 0xff);
    });
    const escaped = codes
      .join('')
      .replaceAll(/[()\\]/g, '\\$&')
      .replaceAll('\r', '\\r');
    return { operand: `(${escaped})`, width: Math.max(width, GLYPH.width) };
  }

  /** Adds the font to a file and returns its reference. Call it after all text is encoded. */
  addTo(file: PdfObjects): string {
    const { width, ascent, descent } = GLYPH;
    const program = trueType();
    const descriptor = file.add({
      '/Type': '/FontDescriptor',
      '/FontName': '/Glyphless',
      '/Flags': 5,
      '/FontBBox': [0, descent, width, ascent],
      '/ItalicAngle': 0,
      '/Ascent': ascent,
      '/Descent': descent,
      '/CapHeight': ascent,
      '/StemV': 80,
      '/FontFile2': file.addStream({ '/Length1': program.length }, program),
    });
    const descendant = file.add({
      '/Type': '/Font',
      '/Subtype': '/CIDFontType2',
      '/BaseFont': '/Glyphless',
      '/CIDSystemInfo': { '/Registry': 'b:41646f6265', '/Ordering': 'b:4964656e74697479', '/Supplement': 0 },
      '/FontDescriptor': descriptor,
      '/DW': width,
      '/W': [...this.#codes].flatMap(([character, value]) => {
        if (isMark(character)) return [value, [0]];
        return character === ' ' ? [value, [SPACE_WIDTH]] : [];
      }),
      '/CIDToGIDMap': file.addStream({}, this.#glyphs()),
    });
    return file.add({
      '/Type': '/Font',
      '/Subtype': '/Type0',
      '/BaseFont': '/Glyphless',
      '/Encoding': '/Identity-H',
      '/DescendantFonts': [descendant],
      '/ToUnicode': file.addStream({}, strToU8(this.#toUnicode())),
    });
  }

  /** Glyph indexes by code, two bytes each: 1 is a blank as wide as a character, 2 has no width, 3 is as wide as a space. */
  #glyphs(): Uint8Array {
    const glyphs = new Uint8Array(2 * (this.#codes.size + 1));
    for (const [character, value] of this.#codes) {
      glyphs[2 * value + 1] = isMark(character) ? 2 : character === ' ' ? 3 : 1;
    }
    return glyphs;
  }

  #toUnicode(): string {
    const entries = [...this.#codes].map(([character, value]) => `<${code(value)}> <${utf16(character)}>`);
    const blocks: string[] = [];
    // The format allows at most 100 entries per block.
    for (let from = 0; from < entries.length; from += 100) {
      const block = entries.slice(from, from + 100);
      blocks.push(`${block.length} beginbfchar\n${block.join('\n')}\nendbfchar`);
    }
    return `/CIDInit /ProcSet findresource begin
12 dict begin
begincmap
/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def
/CMapName /Adobe-Identity-UCS def
/CMapType 2 def
1 begincodespacerange
<0000> <ffff>
endcodespacerange
${blocks.join('\n')}
endcmap
CMapName currentdict /CMap defineresource pop
end
end
`;
  }
}

/** Big-endian fields of a table. */
const u16 = (...values: number[]) => values.flatMap((value) => [(value >> 8) & 0xff, value & 0xff]);
const u32 = (...values: number[]) =>
  values.flatMap((value) => [...u16(value >>> 16), ...u16(value & 0xffff)]);

/** The smallest TrueType font that PDF readers accept: four glyphs without outlines. */
function trueType(): Uint8Array {
  const { width, ascent, descent } = GLYPH;
  const tables: [tag: string, content: number[]][] = [
    // PDF readers do not look up characters here: the map has only the segment that terminates it.
    ['cmap', [...u16(0, 1, 3, 1), ...u32(12), ...u16(4, 24, 0, 2, 2, 0, 0, 0xffff, 0, 0xffff, 1, 0)]],
    ['glyf', [0, 0, 0, 0]],
    [
      'head',
      [
        ...u32(0x10000, 0x10000, 0, 0x5f0f3cf5),
        ...u16(0, UNITS),
        ...u32(0, 0, 0, 0),
        ...u16(0, descent, width, ascent, 0, 8, 2, 0, 0),
      ],
    ],
    ['hhea', [...u32(0x10000), ...u16(ascent, descent, 0, width, 0, 0, width, 1, 0, 0, 0, 0, 0, 0, 0, 4)]],
    ['hmtx', u16(width, 0, width, 0, 0, 0, SPACE_WIDTH, 0)],
    ['loca', u16(0, 0, 0, 0, 0)],
    ['maxp', [...u32(0x10000), ...u16(4, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0)]],
    ['name', u16(0, 0, 6)],
    ['post', [...u32(0x30000, 0), ...u16(0, 0), ...u32(1, 0, 0, 0, 0)]],
  ];
  const header = [...u32(0x10000), ...u16(tables.length, 128, 3, 16 * tables.length - 128)];
  const directory: number[] = [];
  const body: number[] = [];
  for (const [tag, content] of tables) {
    const offset = header.length + 16 * tables.length + body.length;
    while (content.length % 4 !== 0) content.push(0);
    directory.push(...strToU8(tag), ...u32(checksumOf(content), offset, content.length));
    body.push(...content);
  }
  return Uint8Array.from([...header, ...directory, ...body]);
}

/** The checksum of a table: the sum of its 32-bit words. */
function checksumOf(content: readonly number[]): number {
  let sum = 0;
  for (let at = 0; at < content.length; at += 4) {
    sum +=
      ((itemAt(content, at) << 24) |
        (itemAt(content, at + 1) << 16) |
        (itemAt(content, at + 2) << 8) |
        itemAt(content, at + 3)) >>>
      0;
  }
  return sum >>> 0;
}
