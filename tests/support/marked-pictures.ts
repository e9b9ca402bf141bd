import { crc32 } from 'node:zlib';
import { FIXTURE_TEXT, fixture } from './pictures.ts';

/** What is read in a marked picture, and what of it would be found on a disk. */
export const MARKED_TEXT = FIXTURE_TEXT;
export const TEXT_MARKS = FIXTURE_TEXT.split('\n');

/** Each has a comment of its own, which is the same bytes wherever the file is copied to. */
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
