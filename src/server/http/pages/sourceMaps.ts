import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { originalPositionFor, TraceMap } from '@jridgewell/trace-mapping';
import type { Frame } from '../../../domain/pageErrors.ts';

/** Scripts as the build names them; nothing else is looked for on the disk. */
const SCRIPT = /^[a-z]\w*[-.][0-9A-Z]{8}\.js$/;
const MAPS_HELD = 12;

/** Finds places of the bundles' scripts in the sources, by the maps that the build keeps in `dist/.maps` (build/pictures/maps.ts). */
export function sourceMaps(dist: string | null): (frame: Frame) => Promise<string> {
  const held = new Map<string, Promise<TraceMap | null>>();
  function mapOf(file: string): Promise<TraceMap | null> {
    const known = held.get(file);
    if (known !== undefined) return known;
    const read =
      dist === null || !SCRIPT.test(file)
        ? Promise.resolve(null)
        : readFile(path.join(dist, '.maps', `${file}.map`), 'utf8').then(
            (text) => new TraceMap(text),
            // Built elsewhere, or too long ago.
            () => null,
          );
    if (held.size >= MAPS_HELD) held.delete(held.keys().next().value ?? file);
    held.set(file, read);
    return read;
  }
  return async ({ name, file, line, column }) => {
    const map = await mapOf(file);
    const found = map === null || line < 1 ? null : originalPositionFor(map, { line, column: Math.max(0, column - 1) });
    const place =
      found === null || found.source === null
        ? `${file}:${line}:${column}`
        : `${found.source}:${found.line}:${found.column + 1}`;
    const called = found?.name ?? name;
    return called === '' ? place : `${called} (${place})`;
  };
}
