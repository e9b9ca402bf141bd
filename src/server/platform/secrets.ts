import { createHmac, randomBytes } from 'node:crypto';
import { link, mkdir, open, readFile, rename, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { RootKeys } from './keyring.ts';

/** Secret keys of this installation. */
export interface Secrets extends RootKeys {
  /** Key of the hashes of IP addresses, of limited accounts and mailboxes, and of pictures. */
  addressKey: string;
  /** Bearer token of `/metrics`. Undefined if all keys are in the environment and this one is not. */
  metricsToken: string | undefined;
}

const key = z.string().min(32);
const fileSchema = z
  .object({
    cookieKeys: z.array(key).default([]),
    /** A key of earlier versions, see `RootKeys`. */
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

/** Reads keys from the environment. Missing keys are generated once and stored in `secrets.json`, readable by the owner only. */
export async function loadSecrets(options: SecretsOptions): Promise<Secrets> {
  const { cookieKeys = [], cookieKey, addressKey, metricsToken, dataDir } = options;
  const configured = hasConfiguredKeys(options) ? { cookieKeys, cookieKey } : undefined;
  if (configured && addressKey) return { ...configured, addressKey, metricsToken };
  const stored = await readOrCreate(dataDir);
  return {
    ...(configured ?? { cookieKeys: stored.cookieKeys, cookieKey: stored.cookieKey }),
    addressKey: addressKey ?? stored.addressKey,
    metricsToken: metricsToken ?? stored.metricsToken,
  };
}

/** Whether the environment has the cookie keys, which override the file. */
export function hasConfiguredKeys({
  cookieKeys,
  cookieKey,
}: Pick<SecretsOptions, 'cookieKeys' | 'cookieKey'>): boolean {
  return Boolean(cookieKeys?.length || cookieKey);
}

/** Adds a new key for signing. The others are accepted until they are retired. */
export async function rotateKeys(dataDir: string): Promise<Secrets> {
  const stored = await readOrCreate(dataDir);
  return replace(dataDir, { ...stored, cookieKeys: [createKey(), ...stored.cookieKeys] });
}

/** Deletes all keys but the newest. Returns their number. Signatures of the deleted keys become invalid. */
export async function retireKeys(dataDir: string): Promise<number> {
  const { cookieKeys, cookieKey, addressKey, metricsToken } = await readOrCreate(dataDir);
  const [newest, ...older] = cookieKeys;
  // A single key cannot be retired without a successor.
  if (newest === undefined) return 0;
  const count = older.length + (cookieKey === undefined ? 0 : 1);
  if (count > 0)
    await replace(dataDir, { cookieKeys: [newest], cookieKey: undefined, addressKey, metricsToken });
  return count;
}

async function readOrCreate(dataDir: string): Promise<Secrets> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const path = join(dataDir, 'secrets.json');
  try {
    const stored = await read(path);
    if (stored.metricsToken !== undefined) return stored;
    return await replace(dataDir, { ...stored, metricsToken: deriveMetricsToken(stored.addressKey) });
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) throw error;
  }
  const temporary = await write(path, {
    cookieKeys: [createKey()],
    cookieKey: undefined,
    addressKey: createKey(),
    metricsToken: createKey(),
  });
  try {
    // Fails if another process was first; then its file is used.
    await link(temporary, path);
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error;
  } finally {
    await unlink(temporary);
  }
  return read(path);
}

async function replace(dataDir: string, secrets: Secrets): Promise<Secrets> {
  const path = join(dataDir, 'secrets.json');
  await rename(await write(path, secrets), path);
  return secrets;
}

/** Writes and syncs a temporary file beside `path`, for an atomic rename. Returns its path. */
async function write(path: string, secrets: Secrets): Promise<string> {
  const temporary = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`;
  const file = await open(temporary, 'wx', 0o600);
  await file.writeFile(`${JSON.stringify(secrets, null, 2)}\n`);
  await file.sync();
  await file.close();
  return temporary;
}

/** The token for a file without one. Servers that start in parallel derive the same token. */
function deriveMetricsToken(addressKey: string): string {
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
    throw new Error(`${path} is not a valid secrets file. Restore it, or delete it to create new keys.`);
  }
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
