/** Finds text in the content stream of a page or form XObject, and removes it. */
import { concatBytes } from '../bytes.ts';
import { itemAt } from '../checked.ts';

/** An operator with its operands; bytes of the stream from `start` up to `end`. */
interface Operation {
  operator: string;
  start: number;
  end: number;
  /** The last operand before the operator, in PDF syntax. */
  operand: string;
}

export interface ContentText {
  /** Text is shown in a rendering mode other than 3. */
  visible: boolean;
  /** Text is shown in rendering mode 3. */
  invisible: boolean;
  /** Names of the XObjects that are drawn. */
  drawn: string[];
  /** Colors are set in CMYK. */
  cmyk: boolean;
  /** Colors are set in RGB. */
  rgb: boolean;
}

const SHOW_OPERATORS = new Set(['Tj', 'TJ', "'", '"']);
const TEXT_OPERATORS = new Set([
  ...SHOW_OPERATORS,
  'BT',
  'ET',
  'Tc',
  'Tw',
  'Tz',
  'TL',
  'Tf',
  'Tr',
  'Ts',
  'Td',
  'TD',
  'Tm',
  'T*',
]);
const INVISIBLE_MODE = 3;

/** Text before any `Tr` is visible; `q` and `Q` save and restore the mode. An empty string shows nothing. */
export function textIn(content: Uint8Array): ContentText {
  const found: ContentText = { visible: false, invisible: false, drawn: [], cmyk: false, rgb: false };
  let mode = 0;
  const saved: number[] = [];
  for (const { operator, operand } of operationsIn(content)) {
    if (operator === 'q') saved.push(mode);
    else if (operator === 'Q') mode = saved.pop() ?? mode;
    else if (operator === 'Tr') mode = Number(operand);
    else if (operator === 'Do') found.drawn.push(operand);
    else if (operator === 'k' || operator === 'K') found.cmyk = true;
    else if (operator === 'rg' || operator === 'RG') found.rgb = true;
    else if (SHOW_OPERATORS.has(operator) && !/^(\(\)|<\s*>|\[\s*\])$/.test(operand)) {
      if (mode === INVISIBLE_MODE) found.invisible = true;
      else found.visible = true;
    }
  }
  return found;
}

/** The content without its text operators: for content whose text is all invisible. */
export function withoutText(content: Uint8Array): Uint8Array {
  const parts: Uint8Array[] = [];
  let from = 0;
  for (const { operator, start, end } of operationsIn(content)) {
    if (!TEXT_OPERATORS.has(operator)) continue;
    parts.push(content.subarray(from, start));
    from = end;
  }
  parts.push(content.subarray(from));
  return concatBytes(parts);
}

const isSpace = (byte: number) => byte === 0 || (byte >= 9 && byte <= 13) || byte === 32;
const DELIMITERS = new Set([...'()<>[]{}/%'].map((character) => character.charCodeAt(0)));
const [OPEN, CLOSE, ESCAPE] = [40, 41, 92];

function* operationsIn(content: Uint8Array): Generator<Operation> {
  const text = (from: number, to: number) => String.fromCharCode(...content.subarray(from, to));
  let at = 0;
  let start: number | undefined;
  let operand = '';
  while (at < content.length) {
    if (isSpace(itemAt(content, at))) {
      at += 1;
      continue;
    }
    const from = at;
    at = endOfToken(content, at);
    start ??= from;
    const first = itemAt(content, from);
    const isOperator = !DELIMITERS.has(first) && !/[0-9+.-]/.test(String.fromCharCode(first));
    if (!isOperator) {
      operand = text(from, Math.min(at, from + 200));
      continue;
    }
    const operator = text(from, Math.min(at, from + 8));
    if (operator === 'true' || operator === 'false' || operator === 'null') continue;
    if (operator === 'ID') at = endOfInlineImage(content, at);
    yield { operator, start, end: at, operand };
    start = undefined;
    operand = '';
  }
}

/** The index after the token at `at`; strings, arrays and dictionaries are single tokens. */
function endOfToken(content: Uint8Array, at: number): number {
  const character = String.fromCharCode(itemAt(content, at));
  if (character === '(') return endOfString(content, at);
  if (character === '%') return endOfComment(content, at);
  if (character === '[') return endOfNested(content, at + 1, ']');
  if (character === '<' && content[at + 1] === content[at]) return endOfNested(content, at + 2, '>>');
  if (character === '<') {
    const end = content.indexOf('>'.charCodeAt(0), at);
    return end < 0 ? content.length : end + 1;
  }
  let end = at + 1;
  if (character !== '/' && DELIMITERS.has(itemAt(content, at))) return end;
  while (end < content.length && !isSpace(itemAt(content, end)) && !DELIMITERS.has(itemAt(content, end)))
    end += 1;
  return end;
}

function endOfNested(content: Uint8Array, from: number, closing: ']' | '>>'): number {
  const [close, length] = [closing.charCodeAt(0), closing.length];
  let at = from;
  while (at < content.length) {
    if (content[at] === close && (length === 1 || content[at + 1] === close)) return at + length;
    at = isSpace(itemAt(content, at)) ? at + 1 : endOfToken(content, at);
  }
  return at;
}

function endOfString(content: Uint8Array, from: number): number {
  let depth = 0;
  for (let at = from; at < content.length; at++) {
    if (content[at] === ESCAPE) at += 1;
    else if (content[at] === OPEN) depth += 1;
    else if (content[at] === CLOSE) {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return content.length;
}

function endOfComment(content: Uint8Array, from: number): number {
  let at = from;
  while (at < content.length && content[at] !== 10 && content[at] !== 13) at += 1;
  return at;
}

/** The index after the `EI` that ends an inline image: between white space, or at the end. */
function endOfInlineImage(content: Uint8Array, from: number): number {
  for (let at = from + 1; at + 1 < content.length; at++) {
    const isEnd = content[at] === 0x45 && content[at + 1] === 0x49 && isSpace(itemAt(content, at - 1));
    if (isEnd && (at + 2 >= content.length || isSpace(itemAt(content, at + 2)))) return at + 2;
  }
  return content.length;
}
