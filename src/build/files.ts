import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import zlib from 'node:zlib';
import { hash } from './hash.ts';

export type Content = string | Buffer;

export interface Size {
  readonly bytes: number;
  readonly gzip: number;
  readonly brotli: number;
}
export type Sizes = Readonly<Record<string, Size>>;

export const sum = (sizes: Sizes, names: readonly string[]): Size =>
  names.reduce(
    (total, name) => ({
      bytes: total.bytes + (sizes[name]?.bytes ?? 0),
      gzip: total.gzip + (sizes[name]?.gzip ?? 0),
      brotli: total.brotli + (sizes[name]?.brotli ?? 0),
    }),
    { bytes: 0, gzip: 0, brotli: 0 },
  );

export async function filesBelow(folder: string): Promise<string[]> {
  if (!existsSync(folder)) return [];
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .sort();
}

const COMPRESSIBLE = /\.(js|css|json|svg|webmanifest)$/;
const squeezed = new Map<string, Promise<{ gz: Buffer; br: Buffer }>>();

/** Compresses with the strongest settings; each content is compressed once, however many bundles share it. */
export function squeeze(content: Buffer): Promise<{ gz: Buffer; br: Buffer }> {
  const key = hash(content);
  const held = squeezed.get(key);
  if (held) return held;
  const params = {
    [zlib.constants.BROTLI_PARAM_QUALITY]: 11,
    [zlib.constants.BROTLI_PARAM_SIZE_HINT]: content.length,
  };
  const made = Promise.all([
    promisify(zlib.gzip)(content, { level: 9 }),
    promisify(zlib.brotliCompress)(content, { params }),
  ]).then(([gz, br]) => ({ gz, br }));
  squeezed.set(key, made);
  return made;
}

/** Adds the compressed forms (.gz, .br) beside every file that is worth compressing, and measures all sizes. */
export async function withCompressed(
  files: ReadonlyMap<string, Content>,
): Promise<{ sizes: Sizes; all: Map<string, Content> }> {
  const sizes: Record<string, Size> = {};
  const all = new Map(files);
  await Promise.all(
    [...files].map(async ([name, content]) => {
      const buffer = Buffer.from(content);
      sizes[name] = { bytes: buffer.length, gzip: buffer.length, brotli: buffer.length };
      if (!COMPRESSIBLE.test(name)) return;
      const { gz, br } = await squeeze(buffer);
      sizes[name] = { bytes: buffer.length, gzip: gz.length, brotli: br.length };
      all.set(`${name}.gz`, gz).set(`${name}.br`, br);
    }),
  );
  return { sizes, all };
}

/** Replaces a folder in one step: a reader sees the old one or the new one, never a half-written one. */
export async function writeFolder(folder: string, files: ReadonlyMap<string, Content>): Promise<void> {
  const fresh = `${folder}.new`;
  await rm(fresh, { recursive: true, force: true });
  await mkdir(fresh, { recursive: true });
  await Promise.all([...files].map(([name, content]) => writeFile(path.join(fresh, name), content)));
  // No bundle's folder lies inside another's, so the whole old folder can be removed.
  await rm(folder, { recursive: true, force: true });
  await rename(fresh, folder);
}

export const readJson = async <T>(file: string): Promise<T | null> => {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as T;
  } catch {
    return null;
  }
};
