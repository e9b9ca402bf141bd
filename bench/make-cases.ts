/**
 * Renders the pictures of bench/cases with their ground truth: `npx tsx bench/make-cases.ts`.
 * The pictures are committed, because fonts differ from machine to machine; run this only to change them.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import sharp, { type Sharp } from 'sharp';

interface Run {
  x: number;
  /** Vertical position of the baseline. */
  y: number;
  text: string;
  size?: number;
  bold?: boolean;
  anchor?: 'start' | 'middle' | 'end';
  ink?: string;
  /** Rendered but not part of the ground truth, such as an icon. */
  decoration?: boolean;
  /** A drop cap before it, which is rendered separately. */
  begunBy?: string;
}

interface Drawing {
  name: string;
  width: number;
  height: number;
  font?: string;
  size?: number;
  ink?: string;
  paper?: string;
  /** SVG under the text. */
  under?: string;
  /** In reading order. */
  runs: Run[];
  finish?: (picture: Sharp) => Sharp | Promise<Sharp>;
  format?: 'png' | 'jpg';
}

/** Lines of text from (x, y) downwards. */
function column(x: number, y: number, pitch: number, text: string, rest: Partial<Run> = {}): Run[] {
  return text
    .trim()
    .split('\n')
    .map((line, i) => ({ x, y: y + i * pitch, text: line.trim(), ...rest }));
}

const LETTER = `The harbour office opens at seven on weekdays and
at nine on Sundays. Boats longer than twelve metres
report on channel 14 before they enter; the fee is
18.50 a night, electricity included. Dogs are kept
on a lead, and nobody swims between the piers.`;

const LEFT = `Rain fell on the valley for
eleven days, and on the
twelfth the old bridge gave
way. Nobody was hurt, but
the village was cut off from
the road to the market until
a ferry could be found.`;

const RIGHT = `The ferry came from two
towns down the river. Its
owner, a widow of seventy,
rowed it herself and asked
for no more than a loaf of
bread. By autumn there were
plans for a bridge of stone.`;

const WINTER = `hen the winter came, the boats
stayed on the shore and people sat
together in the long evenings. They told
each other stories that were older than
their houses.`;

const TELLING = `hree of them I still know by heart,
and the fourth begins as the first one
does. Nobody minded that all of us knew
how each of them ended.`;

/** Lines of which the first three are indented for a drop cap. */
function beside(letter: string, y: number, aside: number, text: string): Run[] {
  return column(0, y, 26, text).map((run, i) => ({
    ...run,
    x: i < 3 ? aside : 30,
    ...(i === 0 && { begunBy: letter }),
  }));
}

const DRAWINGS: Drawing[] = [
  { name: 'light', width: 760, height: 220, runs: column(30, 50, 34, LETTER) },
  {
    name: 'dark',
    width: 720,
    height: 260,
    ink: '#d9dde3',
    paper: '#1b1d22',
    runs: [
      { x: 24, y: 40, text: 'release-planning', bold: true },
      ...column(24, 84, 30, 'Nora Lind 09:12\nThe nightly build failed on step 7 of 12.', { size: 17 }),
      ...column(24, 154, 30, 'Omar Diaz 09:15\nFixed in revision 5f3a, please run it again.', { size: 17 }),
    ],
  },
  {
    name: 'upside-down',
    width: 760,
    height: 220,
    runs: column(30, 50, 34, LETTER),
    finish: (picture) => picture.rotate(180),
  },
  {
    name: 'on-its-side',
    width: 760,
    height: 220,
    runs: column(30, 50, 34, LETTER),
    finish: (picture) => picture.rotate(90),
  },
  {
    name: 'tilted',
    width: 760,
    height: 220,
    runs: column(30, 50, 34, LETTER),
    finish: (picture) => picture.rotate(-6, { background: '#ffffff' }),
  },
  { name: 'tiny', width: 330, height: 90, size: 11, runs: column(10, 20, 15, LETTER) },
  {
    name: 'two-columns',
    width: 700,
    height: 330,
    font: 'DejaVu Serif',
    size: 19,
    runs: [
      { x: 30, y: 52, text: 'The Ferry at Lower Ford', size: 32, bold: true },
      ...column(30, 104, 30, LEFT),
      ...column(368, 104, 30, RIGHT),
    ],
  },
  {
    name: 'drop-capitals',
    width: 560,
    height: 330,
    font: 'DejaVu Serif',
    size: 19,
    // Drop caps are rendered separately from the runs; in the ground truth, each one starts the next word.
    under: [
      ['W', 28, 102, 76],
      ['T', 28, 274, 76],
    ]
      .map(
        ([letter, x, y, size]) =>
          `<text x="${x}" y="${y}" font-size="${size}" fill="#111111">${letter}</text>`,
      )
      .join(''),
    runs: [...beside('W', 50, 116, WINTER), ...beside('T', 222, 84, TELLING)],
  },
  {
    name: 'table',
    width: 700,
    height: 250,
    under: [40, 80, 120, 160, 200]
      .map((y) => `<line x1="20" x2="680" y1="${y + 12}" y2="${y + 12}" stroke="#777"/>`)
      .join(''),
    runs: [
      ['Part', 'Order no.', 'Pieces', 'Each', 'Sum'],
      ['Steel bolt', 'SB-204', '40', '0.35', '14.00'],
      ['Copper washer', 'CW-118', '120', '0.08', '9.60'],
      ['Rubber seal', 'RS-031', '16', '1.25', '20.00'],
      ['Hinge', 'HG-550', '4', '6.90', '27.60'],
    ].flatMap((cells, row) =>
      cells.map((text, i) => ({ x: [30, 230, 370, 480, 590][i]!, y: 40 + row * 40, text, bold: row === 0 })),
    ),
  },
  {
    name: 'till-slip',
    width: 420,
    height: 460,
    font: 'DejaVu Sans Mono',
    size: 17,
    ink: '#4a4a4a',
    paper: '#f1efe9',
    format: 'jpg',
    runs: [
      { x: 210, y: 44, text: 'GREENGROCER HALL', anchor: 'middle' },
      { x: 210, y: 72, text: '27 Mill Lane', anchor: 'middle' },
      ...[
        ['PEARS 1KG', '3.20'],
        ['RED CABBAGE', '1.95'],
        ['WALNUTS 500G', '6.40'],
        ['OAT MILK 1L', '2.15'],
        ['HONEY JAR', '7.80'],
        ['RADISHES', '1.10'],
      ].flatMap(([item, price], row) => [
        { x: 26, y: 126 + row * 34, text: item! },
        { x: 394, y: 126 + row * 34, text: price!, anchor: 'end' as const },
      ]),
      { x: 26, y: 352, text: 'TOTAL' },
      { x: 394, y: 352, text: '22.60', anchor: 'end' },
      { x: 210, y: 412, text: 'THANK YOU', anchor: 'middle' },
    ],
    finish: async (picture) => sharp(await picture.blur(0.7).toBuffer()),
  },
  {
    name: 'noisy',
    width: 760,
    height: 220,
    ink: '#333333',
    paper: '#c9c6bd',
    format: 'jpg',
    runs: column(30, 50, 34, LETTER),
    finish: (picture) => withGrain(picture, 760, 220),
  },
  {
    name: 'interface',
    width: 640,
    height: 300,
    size: 16,
    paper: '#ffffff',
    under:
      '<rect width="640" height="40" fill="#eceff3"/><rect x="24" y="196" width="128" height="36" rx="5" fill="#146c43"/>',
    runs: [
      { x: 14, y: 27, text: '⊞', size: 22, ink: '#556', decoration: true },
      ...['Home', 'Reports', 'People', 'Help'].map((text, i) => ({ x: 52 + i * 96, y: 26, text })),
      { x: 600, y: 28, text: '⊗', size: 22, ink: '#a11', decoration: true },
      { x: 24, y: 84, text: 'Monthly report', size: 24, bold: true },
      { x: 24, y: 120, text: 'Last changed by Ines on 3 May 2024' },
      { x: 24, y: 160, text: 'Visitors: 18,204   Downloads: 961' },
      { x: 40, y: 220, text: 'Share report', ink: '#ffffff' },
      { x: 24, y: 270, text: 'You have 2 drafts that nobody has reviewed yet.' },
    ],
  },
  {
    name: 'mixed-polarity',
    width: 640,
    height: 260,
    under:
      '<rect width="640" height="130" fill="#20304a"/><rect y="130" width="640" height="130" fill="#f5e9c8"/>',
    runs: [
      { x: 30, y: 56, text: 'Winter timetable', size: 30, bold: true, ink: '#ffffff' },
      { x: 30, y: 102, text: 'valid from 9 December', ink: '#c3cde0' },
      { x: 30, y: 176, text: 'First bus 05:40, last bus 23:15', ink: '#222222' },
      { x: 30, y: 222, text: 'No service on 25 December', ink: '#222222' },
    ],
  },
];

function draw(drawing: Drawing): Sharp {
  const { width, height, font = 'DejaVu Sans', size = 22, ink = '#111111', paper = '#ffffff' } = drawing;
  const texts = drawing.runs.map(
    (run) =>
      `<text x="${run.x}" y="${run.y}" font-size="${run.size ?? size}" fill="${run.ink ?? ink}" text-anchor="${run.anchor ?? 'start'}" font-weight="${run.bold ? 'bold' : 'normal'}" xml:space="preserve">${run.text}</text>`,
  );
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" font-family="${font}"><rect width="${width}" height="${height}" fill="${paper}"/>${drawing.under ?? ''}${texts.join('')}</svg>`;
  return sharp(Buffer.from(svg)).flatten({ background: paper });
}

async function withGrain(picture: Sharp, width: number, height: number): Promise<Sharp> {
  const grain = await sharp({
    create: {
      width,
      height,
      channels: 3,
      background: '#808080',
      noise: { type: 'gaussian', mean: 128, sigma: 40 },
    },
  })
    .png()
    .toBuffer();
  return sharp(
    await picture
      .composite([{ input: grain, blend: 'soft-light' }])
      .png()
      .toBuffer(),
  );
}

/** The ground truth: runs on one baseline form one line. */
function truth(runs: readonly Run[]): string {
  const lines: { y: number; text: string }[] = [];
  for (const { y, text: own, decoration, begunBy = '' } of runs) {
    const text = begunBy + own;
    if (decoration) continue;
    const last = lines.at(-1);
    if (last && Math.abs(last.y - y) < 4) last.text += ` ${text}`;
    else lines.push({ y, text });
  }
  return `${lines.map((line) => line.text).join('\n')}\n`;
}

const folder = fileURLToPath(new URL('./cases', import.meta.url));
mkdirSync(folder, { recursive: true });
for (const drawing of DRAWINGS) {
  const drawn = sharp(await draw(drawing).png().toBuffer());
  const finished = drawing.finish ? await drawing.finish(drawn) : drawn;
  const format = drawing.format ?? 'png';
  const bytes =
    format === 'png'
      ? await finished.png({ palette: true, colours: 64, effort: 10 }).toBuffer()
      : await finished.jpeg({ quality: 72 }).toBuffer();
  writeFileSync(join(folder, `${drawing.name}.${format}`), bytes);
  writeFileSync(join(folder, `${drawing.name}.txt`), truth(drawing.runs));
}
console.log(`${DRAWINGS.length} pictures written to ${folder}`);
