import { appendFile, readFile } from 'node:fs/promises';

// Which accounts were deleted, in a file that outlives the database: a backup from before would bring them back. A line is
// `<when, epoch ms> <id of the account>`, and says nothing of a person.

/** Writes that an account is gone. Twice the same does no harm. */
export type NoteDeleted = (userId: string, at: number) => Promise<void>;

/** @param file null: nobody keeps a list. @throws Error that names the variable, where the file cannot be written */
export async function deletionList(file: string | null): Promise<NoteDeleted> {
  if (file === null) return async () => {};
  const write = (line: string) => appendFile(file, line, { mode: 0o600, flush: true });
  await write('').catch((cause: unknown) => {
    throw new Error(`DELETIONS_FILE: ${(cause as Error).message}`, { cause });
  });
  return (userId, at) => write(`${at} ${userId}\n`);
}

/** The ids in such a file, each once. @throws Error for a file that is none */
export async function deletedIn(file: string): Promise<string[]> {
  const lines = (await readFile(file, 'utf8')).split('\n').filter((line) => line !== '');
  return [
    ...new Set(
      lines.map((line) => {
        const { 1: id } = /^\d+ (\S+)$/.exec(line) ?? [];
        if (id === undefined) throw new Error(`${file} is no list of deleted accounts: ${line}`);
        return id;
      }),
    ),
  ];
}
