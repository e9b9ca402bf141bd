/** Pictures that almost are pictures: a real one, changed where decoders have to be careful. */
import type { Random } from '../../scripts/random.ts';
import {
  type Anatomy,
  dissect,
  type Field,
  type Format,
  mend,
  type Part,
  readField,
  writeField,
} from './anatomy.ts';

export interface SeedPicture {
  /** Says where it comes from, such as `png interlaced`. */
  name: string;
  format: Format;
  bytes: Buffer;
}

export interface MutatedPicture extends SeedPicture {
  /** What was done, in order. */
  steps: string[];
}

const MAX_STEPS = 4;
/** An upload may be no larger; what is refused for its size alone teaches nothing. */
const MAX_BYTES = 9 * 1024 * 1024;
/** Most decoders refuse a wrong checksum at once: only now and then does one stay. */
const MENDED_SHARE = 0.9;

/** The same seed picture, companions and chance always give the same file. */
export function mutate(
  seed: SeedPicture,
  companions: readonly SeedPicture[],
  random: Random,
): MutatedPicture {
  let bytes: Buffer = Buffer.from(seed.bytes);
  const steps: string[] = [];
  // One change alone gets furthest in.
  const count = random.chance(0.5) ? 1 : random.whole(2, MAX_STEPS);
  for (let i = 0; i < count; i++) {
    const { name, change } = random.of(MUTATIONS);
    const changed = change({
      bytes,
      format: seed.format,
      anatomy: dissect(seed.format, bytes),
      companions,
      random,
    });
    if (changed === undefined || changed.length === 0) continue;
    bytes = changed.subarray(0, MAX_BYTES);
    steps.push(name);
  }
  if (steps.length > 0 && random.chance(MENDED_SHARE)) mend(seed.format, bytes);
  return { ...seed, bytes, steps };
}

interface Patient {
  /** May be changed in place. */
  bytes: Buffer;
  format: Format;
  anatomy: Anatomy;
  companions: readonly SeedPicture[];
  random: Random;
}

interface Mutation {
  name: string;
  /** Undefined where the picture has nothing to be changed in this way. */
  change(patient: Patient): Buffer | undefined;
}

const EDGE_VALUES = [0, 1, 2, 3, 7, 8, 0x7f, 0x80, 0xff, 0x100, 0x7fff, 0x8000, 0xffff, 0x10000, 0x7fffffff];
const LARGE_VALUES = [0x80000000, 0xfffffffe, 0xffffffff];

/** What a decoder of the format stumbles over when it stands in the wrong place. */
const TOKENS: Record<Format, readonly Buffer[]> = {
  png: ['IDAT', 'IEND', 'PLTE', 'tRNS', 'iCCP', 'zTXt', 'acTL', 'fcTL', 'fdAT', 'eXIf', 'sBIT'].map(latin1),
  jpeg: ['d8', 'd9', 'd0', 'd7', 'c0', 'c2', 'c4', 'cc', 'da', 'db', 'dd', 'e1', 'ee', '00', 'ff'].map(
    (marker) => Buffer.from(`ff${marker}`, 'hex'),
  ),
  webp: ['RIFF', 'WEBP', 'VP8 ', 'VP8L', 'VP8X', 'ALPH', 'ANIM', 'ANMF', 'ICCP', 'EXIF'].map(latin1),
  gif: [latin1(';'), latin1(','), ...['21f904', '21ff0b', '2c00000000ffffffff00', '00', 'ff'].map(hex)],
  bmp: ['0000', '0001', '0002ffff', '00ff', 'ff00', '00030102030000', '0000000000000000'].map(hex),
  tiff: ['00010003', '01000100', '01110111', '0101', '49492a00', '4d4d002a', '0003000000010007'].map(hex),
  heic: ['ispe', 'grid', 'iovl', 'iden', 'infe', 'irot', 'imir', 'iloc', 'pitm', 'hvcC', 'clap', 'auxC'].map(
    latin1,
  ),
  avif: ['ispe', 'grid', 'iovl', 'av1C', 'infe', 'irot', 'imir', 'iloc', 'pitm', 'a1op', 'clap', 'auxC'].map(
    latin1,
  ),
};

const MUTATIONS: readonly Mutation[] = [
  {
    name: 'flip bits',
    change({ bytes, random }) {
      // Headers lie in front, and are the smaller part of a file by far.
      const within = random.chance(0.5) ? Math.min(bytes.length, 256) : bytes.length;
      const flips = random.chance(0.7) ? random.whole(1, 8) : random.whole(8, 200);
      for (let i = 0; i < flips; i++) bytes[random.whole(0, within - 1)]! ^= 1 << random.whole(0, 7);
      return bytes;
    },
  },
  {
    name: 'overwrite a stretch',
    change({ bytes, random }) {
      const start = random.whole(0, bytes.length - 1);
      const length = random.whole(1, 64);
      bytes.subarray(start, start + length).fill(random.of([0, 0xff, 0x80, random.whole(0, 255)]));
      return bytes;
    },
  },
  {
    name: 'cut off the end',
    change({ bytes, anatomy, random }) {
      const part = random.chance(0.5) ? pick(anatomy.parts, random) : undefined;
      return Buffer.from(bytes.subarray(0, part?.start ?? random.whole(1, bytes.length)));
    },
  },
  {
    name: 'put something behind the end',
    change({ bytes, companions, random }) {
      const more = random.of([bytes, random.of(companions).bytes, Buffer.alloc(random.whole(1, 5_000))]);
      return Buffer.concat([bytes, more]);
    },
  },
  {
    name: 'edit a length',
    change: (patient) => editField(patient, 'length'),
  },
  {
    name: 'edit a dimension',
    change: (patient) => editField(patient, 'dimension'),
  },
  {
    name: 'edit a number',
    change: (patient) => editField(patient, 'other'),
  },
  {
    name: 'copy a number over another',
    change({ bytes, anatomy, random }) {
      const [from, to] = [pick(anatomy.fields, random), pick(anatomy.fields, random)];
      if (!from || !to) return undefined;
      writeField(bytes, to, readField(bytes, from));
      return bytes;
    },
  },
  {
    name: 'repeat a part',
    change({ bytes, anatomy, random }) {
      const part = pick(anatomy.parts, random);
      if (!part) return undefined;
      const copy = bytes.subarray(part.start, part.end);
      const most = Math.max(1, Math.min(300, Math.floor(1_000_000 / copy.length)));
      const times = random.chance(0.7) ? 1 : random.whole(1, most);
      return spliced(bytes, anatomy.parts, part.end, part.end, Buffer.concat(Array(times).fill(copy)));
    },
  },
  {
    name: 'leave out a part',
    change({ bytes, anatomy, random }) {
      const part = pick(anatomy.parts, random);
      return part && spliced(bytes, anatomy.parts, part.start, part.end, Buffer.alloc(0));
    },
  },
  {
    name: 'exchange two parts',
    change({ bytes, anatomy, random }) {
      const pair = [pick(anatomy.parts, random), pick(anatomy.parts, random)];
      const [first, second] = pair.toSorted((a, b) => (a?.start ?? 0) - (b?.start ?? 0));
      if (!first || !second || second.start < first.end) return undefined;
      return Buffer.concat([
        bytes.subarray(0, first.start),
        bytes.subarray(second.start, second.end),
        bytes.subarray(first.end, second.start),
        bytes.subarray(first.start, first.end),
        bytes.subarray(second.end),
      ]);
    },
  },
  {
    name: 'put a part into a part',
    change({ bytes, anatomy, random }) {
      const [outer, inner] = [pick(anatomy.parts, random), pick(anatomy.parts, random)];
      if (!outer || !inner || outer.end - outer.start < 10) return undefined;
      const at = outer.start + 8;
      return spliced(bytes, anatomy.parts, at, at, bytes.subarray(inner.start, inner.end));
    },
  },
  {
    name: 'take a part from another file',
    change({ bytes, format, anatomy, companions, random }) {
      const part = pick(anatomy.parts, random);
      const other = pick(
        companions.filter((one) => one.format === format),
        random,
      );
      const donor = other && pick(dissect(format, other.bytes).parts, random);
      if (!part || !other || !donor) return undefined;
      const content = other.bytes.subarray(donor.start, donor.end);
      return spliced(bytes, anatomy.parts, random.chance(0.5) ? part.start : part.end, part.end, content);
    },
  },
  {
    name: 'go on as another file',
    change({ bytes, companions, random }) {
      const other = random.of(companions).bytes;
      const share = random.next();
      const [head, tail] = [Math.ceil(bytes.length * share), Math.floor(other.length * share)];
      return Buffer.concat([bytes.subarray(0, head), other.subarray(tail)]);
    },
  },
  {
    name: 'put a word of the format somewhere',
    change({ bytes, format, anatomy, random }) {
      const token = random.of(TOKENS[format]);
      const part = pick(anatomy.parts, random);
      const at =
        part && random.chance(0.6)
          ? random.whole(part.start, part.end - 1)
          : random.whole(0, bytes.length - 1);
      if (random.chance(0.5)) return spliced(bytes, anatomy.parts, at, at, token);
      token.copy(bytes, at);
      return bytes;
    },
  },
  {
    name: 'put bytes into a part',
    change({ bytes, anatomy, random }) {
      const part = pick(anatomy.parts, random);
      if (!part) return undefined;
      const at = random.whole(part.start, part.end - 1);
      const noise = Buffer.from(Array.from({ length: random.whole(1, 40) }, () => random.whole(0, 255)));
      return spliced(bytes, anatomy.parts, at, at, noise);
    },
  },
];

function editField({ bytes, anatomy, random }: Patient, kind: Field['kind']): Buffer | undefined {
  const field = pick(
    anatomy.fields.filter((one) => one.kind === kind),
    random,
  );
  if (!field) return undefined;
  const now = readField(bytes, field);
  const near = [now + 1, now - 1, now * 2, now >> 1, now + random.whole(-16, 16), bytes.length];
  // A file that claims to be enormous is refused at once: mostly the change is one that a decoder believes.
  writeField(bytes, field, random.of(random.chance(0.6) ? near : [...EDGE_VALUES, ...LARGE_VALUES]));
  return bytes;
}

/** Replaces `[start, end)`, and tells every part around it how long it is now. */
function spliced(bytes: Buffer, parts: readonly Part[], start: number, end: number, content: Buffer): Buffer {
  const grown = content.length - (end - start);
  for (const part of parts) {
    const around = part.start < start && part.end > end;
    if (!around || !part.length || part.length.at >= start) continue;
    writeField(bytes, part.length, readField(bytes, part.length) + grown);
  }
  return Buffer.concat([bytes.subarray(0, start), content, bytes.subarray(end)]);
}

function pick<T>(choices: readonly T[], random: Random): T | undefined {
  return choices.length === 0 ? undefined : random.of(choices);
}

function latin1(text: string): Buffer {
  return Buffer.from(text, 'latin1');
}

function hex(text: string): Buffer {
  return Buffer.from(text, 'hex');
}
