import { existsSync } from 'node:fs';
import { mkdir, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { BuiltUnit } from '../units.ts';
import { DAY_MS } from '../../domain/time.ts';

/** A page of an older release that is still open may fail, too: its maps stay for so long. */
const KEPT_MS = 60 * DAY_MS;

/**
 * Writes the source maps of a bundle's scripts beside the bundles, for the server alone: no page names them, and a
 * folder with a dot is never served. Files of the same name have the same content, whatever bundle they are in.
 */
export async function keepMaps(folder: string, units: readonly BuiltUnit[]): Promise<void> {
  await mkdir(folder, { recursive: true });
  const now = new Date();
  for (const { file, map } of units) {
    const name = path.join(folder, `${file}.map`);
    if (existsSync(name)) await utimes(name, now, now);
    else await writeFile(name, map);
  }
  for (const name of await readdir(folder)) {
    const { mtimeMs } = await stat(path.join(folder, name));
    if (mtimeMs < now.getTime() - KEPT_MS) await rm(path.join(folder, name), { force: true });
  }
}
