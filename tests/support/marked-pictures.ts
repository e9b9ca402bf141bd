import { crc32 } from 'node:zlib';
import { FIXTURE_TEXT, fixture } from './pictures.ts';

/** The text of a marked picture, and its lines, which tests search for on disks. */
export const MARKED_TEXT = FIXTURE_TEXT;
export const TEXT_MARKS = FIXTURE_TEXT.split('\n');

/** A picture with a unique comment, whose bytes can be found in any copy of the file. */
export function markedPicture(comment: string): Buffer {
  const picture = fixture('harbour-lights.png');
  const end = picture.lastIndexOf('IEND') - 4;
  return Buffer.concat([
    picture.subarray(0, end),
    chunk('tEXt', Buffer.from(`Comment\0${comment}`, 'latin1')),
    picture.subarray(end),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}
