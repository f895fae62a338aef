import { randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import zlib from 'node:zlib';
import type { Content } from './files.ts';
import { hash } from './hash.ts';

/**
 * Differences between releases (compression dictionary transport, RFC 9842). A phone that holds an older version of a script
 * sends its digest and gets the new version as a difference against it, the file `<file>.<digest of the older one>.dcz`. The
 * server here sends such files as they are, and so can a CDN.
 */

/** How many older versions of a file get a difference. */
const RELEASES_HELD = 4;
const DIGEST_CHARACTERS = 16;
const LEVEL = 19;
/** What the format puts in front of the zstd data: magic number and length, then the dictionary's digest. */
const DCZ_HEAD = Buffer.from([0x5e, 0x2a, 0x4d, 0x18, 0x20, 0, 0, 0]);

const compress = promisify(zlib.zstdCompress) as (content: Buffer, options: zlib.ZstdOptions) => Promise<Buffer>;

/** What the versions of a file have in common: 'cart-*.js' for 'cart-0A1B2C3D.js' and 'cart-99887766.js'. */
const lineOf = (name: string): string => name.replace(/(?<=[-.])[0-9A-Z]{8}(?=\.(?:js|css)$)/, '*');

/** The same for brotli: magic number, then the dictionary's digest. */
const DCB_HEAD = Buffer.from([0xff, 0x44, 0x43, 0x42]);
const compressBrotli = promisify(zlib.brotliCompress) as (
  content: Buffer,
  options: zlib.BrotliOptions,
) => Promise<Buffer>;

/** Whether this Node's brotli takes dictionaries: an older one passes over them. What is random else never gets shorter. */
const takesDictionaries = () => {
  const dictionary = randomBytes(256);
  return zlib.brotliCompressSync(dictionary, { dictionary } as zlib.BrotliOptions).length < dictionary.length / 2;
};

/**
 * What comes after another file on every visit, said by that file: by name, bodies of `<file>.<digest>.dcb`. `upon` names, for
 * each file, the one that a browser has by then: the server's patterns lead to it (server/http/pages/builtFolder.ts).
 */
export async function saidUpon(
  files: ReadonlyMap<string, Content>,
  upon: ReadonlyMap<string, string>,
): Promise<Map<string, Buffer>> {
  if (!takesDictionaries()) return new Map();
  const of = (name: string) => Buffer.from(files.get(name) as Content);
  const made = [...upon].map(async ([name, earlier]): Promise<[string, Buffer]> => {
    const [content, dictionary] = [of(name), of(earlier)];
    const params = {
      [zlib.constants.BROTLI_PARAM_QUALITY]: 11,
      [zlib.constants.BROTLI_PARAM_SIZE_HINT]: content.length,
    };
    const digest = hash(dictionary);
    const body = await compressBrotli(content, { dictionary, params } as zlib.BrotliOptions);
    return [
      `${name}.${digest.slice(0, DIGEST_CHARACTERS)}.dcb`,
      Buffer.concat([DCB_HEAD, Buffer.from(digest, 'hex'), body]),
    ];
  });
  return new Map(await Promise.all(made));
}

async function difference(older: Buffer, newer: Buffer): Promise<Buffer> {
  const options = { dictionary: older, params: { [zlib.constants.ZSTD_c_compressionLevel]: LEVEL } };
  return Buffer.concat([DCZ_HEAD, Buffer.from(hash(older), 'hex'), await compress(newer, options)]);
}

/** The newest versions of `name` from earlier builds, newest first; removes all older ones. */
async function olderOf(held: string, name: string): Promise<{ name: string; content: Buffer }[]> {
  const names = (await readdir(held)).filter((one) => one !== name && lineOf(one) === lineOf(name));
  const dated = await Promise.all(names.map(async (one) => ({ one, at: (await stat(path.join(held, one))).mtimeMs })));
  const [recent, gone] = [dated.sort((a, b) => b.at - a.at).slice(0, RELEASES_HELD), dated.slice(RELEASES_HELD)];
  await Promise.all(gone.map(({ one }) => rm(path.join(held, one))));
  return await Promise.all(
    recent.map(async ({ one }) => ({ name: one, content: await readFile(path.join(held, one)) })),
  );
}

/**
 * The differences of a bundle's scripts and stylesheets against earlier builds, by file name. `held` is the folder that keeps
 * the earlier builds' files; this build's are added to it. A difference of
 * more than a sixth of the file, about half of what the compressed file takes, is left out.
 */
export async function differences(held: string, files: ReadonlyMap<string, Content>): Promise<Map<string, Buffer>> {
  await mkdir(held, { recursive: true });
  const made = new Map<string, Buffer>();
  const names = [...files.keys()].filter((name) => lineOf(name) !== name);
  for (const name of names) {
    const newer = Buffer.from(files.get(name) as Content);
    for (const older of await olderOf(held, name)) {
      const body = await difference(older.content, newer);
      if (body.length < newer.length / 6)
        made.set(`${name}.${hash(older.content).slice(0, DIGEST_CHARACTERS)}.dcz`, body);
    }
  }
  const now = new Date();
  for (const name of names) {
    await writeFile(path.join(held, name), files.get(name) as Content);
    await utimes(path.join(held, name), now, now);
  }
  return made;
}
