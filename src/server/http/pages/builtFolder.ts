import { PAGE_QUALITY, pressed, takes } from '../compression.ts';
import { isHeldBy, tagOf } from '../tags.ts';
import { readFileSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Context } from 'hono';
import { BETWEEN } from '../../../domain/seo.ts';
import { YEAR_S } from '../../../domain/time.ts';
import type { SearchTexts } from './seo.ts';
import { preview } from './preview.ts';
import type { BundleMeta } from './bundles.ts';
import { securityHeaders } from './pagePolicy.ts';

export const NOT_BUILT = 'The pages are not built yet: run `npm run build` (`npm start` does it by itself).';
export const NO_FILE = 'There is no such file.';

const VARIANTS_KEPT = 64;
/** Some 60 KB each. */
const PREVIEWS_KEPT = 96;

const CHANGES_INTERVAL_MS = 40;
/** How soon a page asks again after a server that is started anew. */
const CHANGES_RETRY_MS = 200;

export const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.html': 'text/html; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.webp': 'image/webp',
  '.ico': 'image/x-icon',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.map': 'application/json',
};
const HASHED = /[-.][0-9A-Z]{8}\.(?:js|css|json|svg|png)$/;

type Coding = 'br' | 'gzip' | null;

/** The encodings that the client accepts, best first. */
const accepted = (c: Context): readonly Exclude<Coding, null>[] =>
  (['br', 'gzip'] as const).filter((coding) => takes(c.req.header('accept-encoding') ?? '', coding));

interface RenderedPage {
  readonly etag: string;
  readonly plain: Buffer;
  readonly br: Buffer;
  readonly gzip: Buffer;
}

async function rendered(html: string): Promise<RenderedPage> {
  const plain = Buffer.from(html);
  const [br, gz] = await Promise.all([pressed(plain, PAGE_QUALITY), promisify(gzip)(plain, { level: 9 })]);
  return { etag: tagOf(plain), plain, br, gzip: gz };
}

/** The result of the first `make` for this key. Beyond the limit the oldest is forgotten; a failure is never kept. */
function remembered<T>(all: Map<string, Promise<T>>, most: number, key: string, make: () => Promise<T>): Promise<T> {
  let one = all.get(key);
  if (!one) {
    one = make();
    if (all.size >= most) all.delete(all.keys().next().value as string);
    all.set(key, one);
    one.catch(() => all.delete(key));
  }
  return one;
}

/** One folder of built files. */
export class Folder {
  readonly dir: string;
  readonly #variants = new Map<string, Promise<RenderedPage>>();
  readonly #previews = new Map<string, Promise<Buffer>>();
  readonly #etags = new Map<string, string>();
  #meta: BundleMeta | null = null;
  #readAtMs = 0;

  constructor(dir: string) {
    this.dir = dir;
  }

  /** Reads meta.json again after every build, so that `npm run dev` needs no restart. */
  meta(): BundleMeta | null {
    try {
      const changedMs = statSync(path.join(this.dir, 'meta.json')).mtimeMs;
      if (changedMs !== this.#readAtMs) {
        this.#meta = JSON.parse(readFileSync(path.join(this.dir, 'meta.json'), 'utf8')) as BundleMeta;
        this.#readAtMs = changedMs;
        this.#variants.clear();
        this.#previews.clear();
        this.#etags.clear();
      }
      return this.#meta;
    } catch {
      return null; // in the middle of a build, or before the first
    }
  }

  /** Returns the page that `make` creates from a file; each variant is created and compressed once. */
  page(key: string, file: string, make: (html: string) => string): Promise<RenderedPage> {
    return remembered(this.#variants, VARIANTS_KEPT, key, async () =>
      rendered(make(await readFile(path.join(this.dir, file), 'utf8'))),
    );
  }

  /** The picture of a page, drawn once; `ids` are the dishes on it. @throws TooManyPreviews */
  preview({ title, description }: SearchTexts, ids: readonly string[]): Promise<Buffer> {
    const drawings = ids.flatMap((id) => {
      const file = Object.keys(this.#meta?.files ?? {}).find((one) => one.startsWith(`food-${id}-`));
      return file === undefined ? [] : [path.join(this.dir, file)];
    });
    const [name = '', shop = name] = title.split(BETWEEN);
    return remembered(this.#previews, PREVIEWS_KEPT, [title, description, ...drawings].join('\n'), async () =>
      preview({
        title: name,
        description,
        shop,
        drawings: await Promise.all(drawings.map((file) => readFile(file, 'utf8'))),
      }),
    );
  }

  /** Sends `changes` of meta.json as events: as it is, and each time the folder has been built again. */
  changes(c: Context): Response {
    const now = () => JSON.stringify(this.meta()?.changes);
    let timer: NodeJS.Timeout | undefined;
    const body = new ReadableStream({
      start(controller) {
        const send = (text: string) => controller.enqueue(new TextEncoder().encode(`${text}\n\n`));
        let sent: string | undefined;
        // Compared with what was sent: a watcher of the file would not see a build between its start and this.
        const tell = () => {
          const changes = now();
          if (changes === undefined || changes === sent) return;
          sent = changes;
          send(`data: ${changes}`);
        };
        send(`retry: ${CHANGES_RETRY_MS}`);
        tell();
        timer = setInterval(tell, CHANGES_INTERVAL_MS);
      },
      cancel: () => clearInterval(timer),
    });
    return c.body(body, 200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' });
  }

  async #etagOf(name: string, file: string): Promise<string> {
    const etag = this.#etags.get(name) ?? tagOf(await readFile(file));
    this.#etags.set(name, etag);
    return etag;
  }

  async asset(c: Context, name: string): Promise<Response> {
    const type = TYPES[path.extname(name)] ?? 'application/octet-stream';
    // These files are public, so nothing but their type is guarded. A host may show the page in a frame without an origin, and
    // such a frame can load only files that allow every origin.
    c.header('X-Content-Type-Options', 'nosniff');
    c.header('Access-Control-Allow-Origin', '*');
    const isHashed = HASHED.test(name);
    c.header('Cache-Control', isHashed ? `max-age=${YEAR_S}, immutable` : 'no-cache');
    c.header('Content-Type', type);
    const isScript = isHashed && /\.(?:js|css)$/.test(name);
    c.header('Vary', isScript ? 'Accept-Encoding, Available-Dictionary' : 'Accept-Encoding');
    // A browser that keeps this file can get its next release, and what comes after it, as a difference (RFC 9842).
    if (isScript) c.header('Use-As-Dictionary', `match="${dictionaryPattern(c.req.path)}"`);
    const plain = path.join(this.dir, name);
    // A name with the content's digest in it says whether it is held: nobody asks for that again.
    if (!isHashed && isHeldBy(c, await this.#etagOf(name, plain))) return c.body(null, 304);
    const difference = isScript ? await differenceFor(c, plain) : null;
    if (difference !== null) {
      c.header('Content-Encoding', difference.coding);
      return answer(c, difference.body);
    }
    for (const coding of accepted(c)) {
      const body = await readFile(`${plain}.${coding === 'br' ? 'br' : 'gz'}`).catch(() => null);
      if (body === null) continue;
      c.header('Content-Encoding', coding);
      return answer(c, body);
    }
    return answer(c, await readFile(plain));
  }
}

/**
 * '/in/gpay/cart-0A1B2C3D.js' is a dictionary for every '/in/gpay/cart-*.js'. What all come by is one for what comes after it as
 * well: a browser takes the longest pattern, so '/in/gpay/*-*.js' for the second load, and for it the first load's.
 */
const dictionaryPattern = (path: string) =>
  path
    .replace(/\/first\.[0-9A-Z]{8}\.js$/, '/*.js')
    .replace(/\/alive-[0-9A-Z]{8}\.js$/, '/*-*.js')
    .replace(/-[0-9A-Z]{8}(?=\.(?:js|css)$)/, '-*');

/** A file by the one that the client holds, whose digest begins with what the build has in the difference's name; else null. */
async function differenceFor(c: Context, plain: string) {
  const [, digest] = /^:([A-Za-z0-9+/]{43}=):$/.exec(c.req.header('available-dictionary') ?? '') ?? [];
  if (digest === undefined) return null;
  const held = Buffer.from(digest, 'base64').toString('hex').slice(0, 16);
  for (const coding of ['dcb', 'dcz'] as const) {
    if (!takes(c.req.header('accept-encoding') ?? '', coding)) continue;
    const body = await readFile(`${plain}.${held}.${coding}`).catch(() => null);
    if (body !== null) return { coding, body };
  }
  return null;
}

export function answer(c: Context, body: Buffer): Response {
  c.header('Content-Length', String(body.length));
  return c.req.method === 'HEAD' ? c.body(null) : c.body(body as unknown as ArrayBuffer);
}

export function answerPage(
  c: Context,
  page: RenderedPage,
  policy: string,
  production: boolean,
  status: 200 | 404 = 200,
): Response {
  securityHeaders(c, policy);
  c.header('Content-Type', TYPES['.html'] as string);
  c.header('Cache-Control', 'no-cache');
  // A cookie asks for the imitated host; in production there is none, and a cache keeps one page for all.
  c.header('Vary', `Accept-Encoding, ${production ? '' : 'Cookie, '}X-Forwarded-Prefix`);
  c.status(status);
  // What is not there may be there tomorrow, at the same content.
  if (status === 200) {
    if (isHeldBy(c, page.etag)) return c.body(null, 304);
  }
  const coding = accepted(c)[0] ?? null;
  if (coding !== null) c.header('Content-Encoding', coding);
  return answer(c, coding === null ? page.plain : page[coding]);
}
