import { randomBytes } from 'node:crypto';
import { link, mkdir, open, readFile, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';

/** Keys that only this installation knows. */
export interface Secrets {
  /** Signs cookies. */
  cookieKey: string;
  /** Hashes network addresses. */
  addressKey: string;
}

const fileSchema = z.object({ cookieKey: z.string().min(32), addressKey: z.string().min(32) });

interface SecretsOptions {
  cookieKey: string | undefined;
  addressKey: string | undefined;
  dataDir: string;
}

/** From the settings; what they leave out is made once and kept in `secrets.json`, which only the owner may read. */
export async function loadSecrets({ cookieKey, addressKey, dataDir }: SecretsOptions): Promise<Secrets> {
  if (cookieKey && addressKey) return { cookieKey, addressKey };
  const kept = await readOrMake(dataDir);
  return { cookieKey: cookieKey ?? kept.cookieKey, addressKey: addressKey ?? kept.addressKey };
}

async function readOrMake(dataDir: string): Promise<Secrets> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const path = join(dataDir, 'secrets.json');
  try {
    return await read(path);
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) throw error;
  }
  const key = () => randomBytes(32).toString('base64url');
  const draft = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`;
  const file = await open(draft, 'wx', 0o600);
  await file.writeFile(`${JSON.stringify({ cookieKey: key(), addressKey: key() }, null, 2)}\n`);
  await file.sync();
  await file.close();
  try {
    // Fails if another process was first: then its file is the one that counts.
    await link(draft, path);
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error;
  } finally {
    await unlink(draft);
  }
  return read(path);
}

async function read(path: string): Promise<Secrets> {
  const text = await readFile(path, 'utf8');
  try {
    return fileSchema.parse(JSON.parse(text));
  } catch {
    throw new Error(`${path} is not a valid secrets file. Restore it, or delete it to have new keys made.`);
  }
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
