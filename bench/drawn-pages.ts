/**
 * Renders pages of text that is easily lost or misread: symbols, codes, names with accents, identifiers, links, leaders,
 * directions.
 */
import sharp, { type Sharp } from 'sharp';

/** A class of test text, with its lines and the function that renders them. */
export interface SyntheticTextClass {
  name: string;
  lines: readonly string[];
  draw: (lines: readonly string[], style: Style) => Promise<Uint8Array>;
}

export interface Style {
  /** Font name for Pango. */
  font: string;
  /** Pixels per em. */
  size: number;
  dark: boolean;
}

const FONTS = [
  'DejaVu Sans',
  'DejaVu Sans Bold',
  'DejaVu Sans Condensed',
  'DejaVu Sans Mono',
  'DejaVu Sans Mono Bold',
  'DejaVu Serif',
  'DejaVu Serif Bold',
  'DejaVu Serif Condensed',
];
const SIZES = [16, 22, 34];

/** Every font in two of the sizes, one dark on light and one light on dark. */
export const STYLES: readonly Style[] = FONTS.flatMap((font, i) => [
  { font, size: SIZES[i % 3]!, dark: false },
  { font, size: SIZES[(i + 1) % 3]!, dark: true },
]);

export const CLASSES: readonly SyntheticTextClass[] = [
  {
    name: 'symbols',
    draw: drawPage,
    lines: [
      'Filter 10 µm, dose 250 µl, 15 µg per dose',
      'Resistor 10 kΩ, 4.7 kΩ and 220 Ω',
      'Half ½ cup, ¼ cup flour, 1¾ cups milk',
      'Prices ₹ 499 or ₽250 or ₩1000 or ₺75',
      'Range ≤ 65, ≥ 18, ≠ 0, ≈ 3.5, ± 2',
      'Area 12 m² and 3 m³ at 10⁴ Pa',
      '12 × 4 ÷ 3 = 16',
      'Open → Edit → Save ✓',
      '☑ Paid ☐ Unpaid ★ Best',
      '• First item and ◦ nested item',
      'Height 5′ 10″ at 20° north',
      'Sum ∑ of √2 and π up to ∞',
      '† see ‡ § 12 № 7',
      '„Gruß“ and ‹leur› and «mot»',
    ],
  },
  {
    name: 'codes',
    draw: drawPage,
    lines: [
      'Postcodes SW1A 2AA, EC2Y 5AS, M1 1AE, B33 8TH',
      'Plates AB12 CDE and SO1 5BD',
      'Key XR5TW-8KQ2B-7ZS1D-FACE8',
      'Hex #FACE8B and 0x5B0F21 and #0B1E5C',
      'IBAN DE89370400440532013000',
      'IBAN GB29NWBK60161331926819',
      'Serial SN-4821-B7X and P/N 4O15-88S2',
      'Hash 9f86d081884c7d659a2feaa0c55ad015',
      'Coupon SAVE5NOW and BOGO25',
      'Version v1.12.0-rc3 build 2018',
    ],
  },
  {
    name: 'accents',
    draw: drawPage,
    lines: [
      'The guests were Zoë Nuñez and João São',
      'Größe, Äpfel and ÖPNV were on the list',
      'Łukasz Wójcik met Jiří Dvořák in Kraków',
      'Őry Gábor wrote to Ștefan Țurcanu',
      'Søren Ærø and Åsa Öberg live in Malmö',
      'Þórður Guðmundsson drove from Reykjavík',
      'François Lefèvre ate a crème brûlée',
      'Ayşe Çağlar and İpek Gündoğdu sang',
      'Kārlis Bērziņš and Žydrė Šimkutė',
      'Željko Đorđević came from Čačak',
      'Nguyễn Thị Hồng and Trần Văn Đức',
      'Ġużeppi Ċaruana and Siân Llŷr',
    ],
  },
  {
    name: 'accents of smaller languages',
    draw: drawPage,
    lines: [
      'Jüri Põder met Väinö Hämäläinen',
      'Ľubica Kľačanská and Špela Žnidaršič',
      'Núria Gavaldà and Seán Ó Súilèabhàin',
      'Eyðun í Trøð and Niccolò Zanè',
      'Zoë van Eijk and Besë Çela',
      'Ŝanĝo Ĉapelo and Əli Əliyev',
      'Ẹniọlá Adébáyọ̀ and Hōne Māhuta',
    ],
  },
  {
    name: 'identifiers',
    draw: drawPage,
    lines: [
      'def parse_user_input(raw_value, max_len=64):',
      'MAX_RETRY_COUNT = other_module.sub_name',
      'my_file_name_v2.txt and user_id',
      'GET /api/v1/user_id/items',
      'https://example.org/a_b/c-d?x_y=1',
      'git log --oneline | lsblk -f',
    ],
  },
  {
    name: 'links',
    draw: drawLinks,
    lines: [
      'Read the gypsy quay judging policy page today',
      'Privacy Policy and Copyright, my Apple typography',
      'Forgot password? Try again or apply by phone',
      'Happy playing: jumpy pygmy group (page 47) gets going',
      'Equipment supply, shipping & packaging options',
      'Why type by typing? Say goodbye, enjoy yoga',
    ],
  },
  {
    name: 'leaders',
    draw: drawLeaders,
    lines: ['Heading 1', 'Harbour dues 9', 'Ropes and splices 28', 'Lamps and signals 114', 'Preface vii'],
  },
  {
    name: 'directions',
    draw: drawDirections,
    lines: [
      'Quarterly harbour traffic report',
      'Vessels that arrived by month',
      'Cargo landed in tonnes',
      'Printed by the port office',
      'The figures below are for the year',
    ],
  },
];

/** Lines of text below one another. */
async function drawPage(lines: readonly string[], style: Style): Promise<Uint8Array> {
  return drawLinesOn(await Promise.all(lines.map((line) => drawLine(line, style))), style);
}

/** Lines underlined like links in browsers: the underline skips descenders. */
async function drawLinks(lines: readonly string[], style: Style): Promise<Uint8Array> {
  return drawLinesOn(await Promise.all(lines.map((line) => drawLink(line, style))), style);
}

async function drawLink(text: string, style: Style): Promise<Drawing> {
  // Pango crops a line to its ink, so the height of a line without descenders gives the baseline.
  const [line, withoutDescenders] = await Promise.all([
    drawLine(text, style),
    drawLine(text.replaceAll(/[gjpqyQ,()&]/g, 'x'), style),
  ]);
  const thickness = Math.max(1, Math.round(style.size / 14));
  const top = withoutDescenders.height + Math.max(2, Math.round(style.size / 12));
  const height = Math.max(line.height, top + thickness);
  const pixels = await sharp(line.png)
    .extend({ bottom: height - line.height, background: 'transparent' })
    .raw()
    .toBuffer();
  const isInk = (x: number, y: number) =>
    x >= 0 && x < line.width && y < height && pixels[(y * line.width + x) * 4 + 3]! > 0;
  const isFree = (x: number) => {
    for (let y = top - 1; y <= top + thickness; y++)
      for (let near = x - thickness - 1; near <= x + thickness + 1; near++) if (isInk(near, y)) return false;
    return true;
  };
  const free = Array.from({ length: line.width }, (_, x) => isFree(x));
  for (const [x, isUnderlined] of free.entries()) {
    if (!isUnderlined) continue;
    for (let y = top; y < top + thickness; y++)
      pixels.fill(255, (y * line.width + x) * 4, (y * line.width + x) * 4 + 4);
  }
  return drawingOf(sharp(pixels, { raw: { width: line.width, height, channels: 4 } }));
}

function drawLinesOn(drawn: readonly Drawing[], style: Style): Promise<Uint8Array> {
  const margin = style.size * 2;
  let top = margin;
  const placed = drawn.map((line) => {
    const at = { input: line.png, left: margin, top };
    top += Math.max(line.height, style.size) + Math.round(style.size * 0.6);
    return at;
  });
  const width = Math.max(...drawn.map((line) => line.width)) + 2 * margin;
  return onPaper({ width, height: top + margin }, placed, style);
}

/** A table of contents: the last word of each line is at the right edge, after a dotted leader. */
async function drawLeaders(lines: readonly string[], style: Style): Promise<Uint8Array> {
  const [ten, twenty] = await Promise.all([10, 20].map((count) => drawLine('.'.repeat(count), style)));
  const pitch = (twenty!.width - ten!.width) / 10;
  const width = style.size * 36;
  const dotted = await Promise.all(
    lines.map(async (line) => {
      const at = line.lastIndexOf(' ');
      const [title, page] = await Promise.all([
        drawLine(line.slice(0, at), style),
        drawLine(line.slice(at + 1), style),
      ]);
      const room = width - title.width - page.width - 2 * style.size;
      const dots = await drawLine('.'.repeat(Math.floor(room / pitch)), style);
      return { title, page, dots };
    }),
  );
  const placed = dotted.flatMap(({ title, page, dots }, i) => {
    const top = style.size * 2 + i * Math.round(style.size * 1.7);
    // Pango crops a line to its ink. Text without descenders ends at the baseline.
    const base = top + Math.round(style.size * 0.74);
    return [
      { input: title.png, left: style.size, top },
      { input: dots.png, left: title.width + Math.round(style.size * 1.5), top: base - dots.height },
      { input: page.png, left: width - page.width, top: base - page.height },
    ];
  });
  const height = style.size * (4 + Math.round(lines.length * 1.7));
  return onPaper({ width: width + style.size * 2, height }, placed, style);
}

/** The first and the last line are horizontal; the others run along the left and right edges, and upside down at the bottom. */
async function drawDirections(lines: readonly string[], style: Style): Promise<Uint8Array> {
  const drawn = await Promise.all(lines.map((line) => drawLine(line, style)));
  const turned = await Promise.all(
    drawn.map(({ png }, i) => drawingOf(sharp(png).rotate([0, 90, 270, 180, 0][i]!))),
  );
  const side = Math.max(...drawn.map((line) => line.width)) + style.size * 12;
  const [top, right, left, bottom, body] = turned as [Drawing, Drawing, Drawing, Drawing, Drawing];
  const middle = (length: number) => Math.round((side - length) / 2);
  const edge = style.size * 2;
  const level = Math.round(side / 3);
  const placed = [
    { input: top.png, left: middle(top.width), top: edge },
    { input: body.png, left: middle(body.width), top: level },
    { input: right.png, left: side - edge - right.width, top: middle(right.height) },
    { input: left.png, left: edge, top: middle(left.height) },
    { input: bottom.png, left: middle(bottom.width), top: side - edge - bottom.height },
  ];
  return onPaper({ width: side, height: side }, placed, style);
}

interface Drawing {
  png: Buffer;
  width: number;
  height: number;
}

/** White text on a transparent background, cropped to its ink at the top and bottom. */
function drawLine(text: string, { font, size }: Style): Promise<Drawing> {
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  const markup = `<span foreground="white">${escaped}</span>`;
  return drawingOf(sharp({ text: { text: markup, font: `${font} ${size}`, dpi: 72, rgba: true } }));
}

async function drawingOf(picture: Sharp): Promise<Drawing> {
  const { data, info } = await picture.png().toBuffer({ resolveWithObject: true });
  return { png: data, width: info.width, height: info.height };
}

async function onPaper(
  size: { width: number; height: number },
  placed: readonly { input: Buffer; left: number; top: number }[],
  { dark }: Style,
): Promise<Uint8Array> {
  const picture = await sharp({ create: { ...size, channels: 3, background: '#101418' } })
    .composite([...placed])
    .png()
    .toBuffer();
  return dark ? picture : sharp(picture).removeAlpha().negate().png().toBuffer();
}
