/** XMP metadata of a PDF from its information dictionary. */
import { required } from '../checked.ts';
import type { PdfDictionary, PdfValue } from '../pdf-file.ts';

/** `language`: BCP 47. Dates and names come only from the dictionary, so the same file gives the same metadata. */
export function xmpOf(info: PdfDictionary, language: string | undefined): string {
  const [title, author, subject] = ['/Title', '/Author', '/Subject'].map((key) =>
    textIn(info[key as '/Title']),
  );
  const properties = [
    ['dc:format', 'application/pdf'],
    title && ['dc:title', `<rdf:Alt><rdf:li xml:lang="x-default">${escaped(title)}</rdf:li></rdf:Alt>`],
    author && ['dc:creator', `<rdf:Seq><rdf:li>${escaped(author)}</rdf:li></rdf:Seq>`],
    subject && [
      'dc:description',
      `<rdf:Alt><rdf:li xml:lang="x-default">${escaped(subject)}</rdf:li></rdf:Alt>`,
    ],
    language && ['dc:language', `<rdf:Bag><rdf:li>${escaped(language)}</rdf:li></rdf:Bag>`],
    ...['Keywords', 'Producer'].map((name) => plain(`pdf:${name}`, textIn(info[`/${name}`]))),
    plain('xmp:CreatorTool', textIn(info['/Creator'])),
    plain('xmp:CreateDate', dateIn(info['/CreationDate'])),
    plain('xmp:ModifyDate', dateIn(info['/ModDate'])),
    ['pdfaid:part', '2'],
    ['pdfaid:conformance', 'B'],
  ].filter((property) => Array.isArray(property));
  const elements = properties.map(([name, content]) => `   <${name}>${content}</${name}>`).join('\n');
  return `<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/">
 <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
  <rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:pdf="http://ns.adobe.com/pdf/1.3/" xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmlns:pdfaid="http://www.aiim.org/pdfa/ns/id/">
${elements}
  </rdf:Description>
 </rdf:RDF>
</x:xmpmeta>
<?xpacket end="w"?>`;
}

const plain = (name: string, text: string | undefined) => (text ? [name, escaped(text)] : undefined);

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
/** XML 1.0 allows no control characters except tab, line feed and carriage return. */
const escaped = (text: string) =>
  text
    .replaceAll(/(?![\t\n\r])\p{Cc}/gu, '')
    .replaceAll(/[&<>]/g, (character) => required(ESCAPES[character]));

const textIn = (value: PdfValue | undefined) =>
  typeof value === 'string' && value.startsWith('u:') ? value.slice(2).trim() || undefined : undefined;

/** `D:20261126050000+01'00'` as ISO 8601; undefined for anything else. */
function dateIn(value: PdfValue | undefined): string | undefined {
  const match = /^D:(\d{4})(\d{2})?(\d{2})?(\d{2})?(\d{2})?(\d{2})?(?:(Z)|([+-]\d{2})'?(\d{2})?)?/.exec(
    textIn(value) ?? '',
  );
  if (!match) return undefined;
  const [
    ,
    year,
    month = '01',
    day = '01',
    hour = '00',
    minute = '00',
    second = '00',
    zulu,
    east,
    minutes = '00',
  ] = match;
  return `${year}-${month}-${day}T${hour}:${minute}:${second}${zulu ?? (east ? `${east}:${minutes}` : 'Z')}`;
}
