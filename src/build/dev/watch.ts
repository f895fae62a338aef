import { readdirSync, statSync, watch, type FSWatcher } from 'node:fs';
import path from 'node:path';

/** An editor writes a file in several steps, and a formatter writes several files. */
const QUIET_MS = 20;

const isFolder = (file: string) => statSync(file, { throwIfNoEntry: false })?.isDirectory() ?? false;

/**
 * Tells of every file below these folders that is written, made or removed, several at once where they come together. One
 * watcher for each folder: recursive ones lose files that an editor replaces.
 */
export function watchFolders(folders: readonly string[], tell: (files: ReadonlySet<string>) => void): void {
  const watchers = new Map<string, FSWatcher>();
  let changed = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  const note = (file: string) => {
    changed.add(file);
    clearTimeout(timer);
    timer = setTimeout(() => {
      const all = changed;
      changed = new Set();
      tell(all);
    }, QUIET_MS);
  };
  const forget = (folder: string) => {
    watchers.get(folder)?.close();
    watchers.delete(folder);
  };
  const add = (folder: string, isNew: boolean) => {
    if (watchers.has(folder)) return;
    const watcher = watch(folder, (_kind, name) => {
      const file = path.join(folder, name ?? '');
      if (isFolder(file)) add(file, true);
      else {
        forget(file);
        note(file);
      }
    });
    watcher.on('error', () => forget(folder));
    watchers.set(folder, watcher);
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const file = path.join(folder, entry.name);
      if (entry.isDirectory()) add(file, isNew);
      // What was written before the folder was watched.
      else if (isNew) note(file);
    }
  };
  for (const folder of folders) add(folder, false);
}
