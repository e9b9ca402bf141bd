// Reads the text in a picture: npx tsx read-picture.ts PICTURE
import { randomUUID } from 'node:crypto';
import { openAsBlob } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

const { GLYPHLIFT_URL, GLYPHLIFT_KEY } = process.env;
const [picture = 'picture.png'] = process.argv.slice(2);

const form = new FormData();
form.append('file', await openAsBlob(picture), picture);
const headers = {
  authorization: `Bearer ${GLYPHLIFT_KEY}`,
  // The same key for each attempt, so that the picture is charged once.
  'idempotency-key': randomUUID(),
};

interface Extraction {
  extractedText: string;
  confidence: number;
}

async function readPicture(attemptsLeft: number): Promise<Extraction> {
  const response = await fetch(`${GLYPHLIFT_URL}/api/extract-text`, { method: 'POST', headers, body: form });
  if (response.ok) return (await response.json()) as Extraction;
  const wait = Number(response.headers.get('retry-after') ?? 0);
  if (wait > 0 && wait <= 60 && attemptsLeft > 0) {
    await pause(wait * 1000);
    return readPicture(attemptsLeft - 1);
  }
  const { code, detail } = (await response.json()) as { code: string; detail: string };
  throw new Error(`${code}: ${detail}`);
}

const { extractedText, confidence } = await readPicture(3);
console.log(extractedText);
console.error(`confidence ${confidence}%`);
