import { createHmac, randomBytes } from 'node:crypto';
import { link, mkdir, open, readFile, rename, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { RootKeys } from './keyring.ts';

/** Secret keys of this installation. */
export interface Secrets extends RootKeys {
  addressKey: string;
  /** Bearer token of `/metrics`. Undefined if all keys are in the environment and this one is not. */
  metricsToken: string | undefined;
}

const key = z.string().min(32);
const fileSchema = z
  .object({
    cookieKeys: z.array(key).default([]),
    cookieKey: key.optional(),
    addressKey: key,
    metricsToken: key.optional(),
  })
  .refine(({ cookieKeys, cookieKey }) => cookieKeys.length > 0 || cookieKey !== undefined)
  .transform((file): Secrets => ({ ...file, cookieKey: file.cookieKey, metricsToken: file.metricsToken }));

interface SecretsOptions {
  cookieKeys: readonly string[] | undefined;
  cookieKey: string | undefined;
  addressKey: string | undefined;
  metricsToken?: string | undefined;
  dataDir: string;
}

/** Read from the environment; missing ones are generated once and stored in `secrets.json`, readable by the owner only. */
export async function loadSecrets(options: SecretsOptions): Promise<Secrets> {
  const { cookieKeys = [], cookieKey, addressKey, metricsToken, dataDir } = options;
  const given = hasKeysOfItsOwn(options) ? { cookieKeys, cookieKey } : undefined;
  if (given && addressKey) return { ...given, addressKey, metricsToken };
  const kept = await readOrMake(dataDir);
  return {
    ...(given ?? { cookieKeys: kept.cookieKeys, cookieKey: kept.cookieKey }),
    addressKey: addressKey ?? kept.addressKey,
    metricsToken: metricsToken ?? kept.metricsToken,
  };
}

/** Whether the environment has the cookie keys, which override the file. */
export function hasKeysOfItsOwn({
  cookieKeys,
  cookieKey,
}: Pick<SecretsOptions, 'cookieKeys' | 'cookieKey'>): boolean {
  return Boolean(cookieKeys?.length || cookieKey);
}

/** Adds a new key for signing. The others are accepted until they are retired. */
export async function rotateKeys(dataDir: string): Promise<Secrets> {
  const kept = await readOrMake(dataDir);
  return replace(dataDir, { ...kept, cookieKeys: [createKey(), ...kept.cookieKeys] });
}

/** Deletes all keys but the newest, which invalidates their signatures. Returns their number. */
export async function retireKeys(dataDir: string): Promise<number> {
  const { cookieKeys, cookieKey, addressKey, metricsToken } = await readOrMake(dataDir);
  const [newest, ...older] = cookieKeys;
  // A single key cannot be retired without a successor.
  if (newest === undefined) return 0;
  const count = older.length + (cookieKey === undefined ? 0 : 1);
  if (count > 0)
    await replace(dataDir, { cookieKeys: [newest], cookieKey: undefined, addressKey, metricsToken });
  return count;
}

async function readOrMake(dataDir: string): Promise<Secrets> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const path = join(dataDir, 'secrets.json');
  try {
    const kept = await read(path);
    if (kept.metricsToken !== undefined) return kept;
    return await replace(dataDir, { ...kept, metricsToken: tokenBeside(kept.addressKey) });
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) throw error;
  }
  const draft = await write(path, {
    cookieKeys: [createKey()],
    cookieKey: undefined,
    addressKey: createKey(),
    metricsToken: createKey(),
  });
  try {
    // Fails if another process was first; then its file is used.
    await link(draft, path);
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error;
  } finally {
    await unlink(draft);
  }
  return read(path);
}

async function replace(dataDir: string, secrets: Secrets): Promise<Secrets> {
  const path = join(dataDir, 'secrets.json');
  await rename(await write(path, secrets), path);
  return secrets;
}

/** Writes atomically: to a temporary file beside it, synced and then renamed. */
async function write(path: string, secrets: Secrets): Promise<string> {
  const draft = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`;
  const file = await open(draft, 'wx', 0o600);
  await file.writeFile(`${JSON.stringify(secrets, null, 2)}\n`);
  await file.sync();
  await file.close();
  return draft;
}

/** Adds a token to a file without one. Parallel servers get the same token. */
function tokenBeside(addressKey: string): string {
  return createHmac('sha256', addressKey).update('metrics token').digest('base64url');
}

function createKey(): string {
  return randomBytes(32).toString('base64url');
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
