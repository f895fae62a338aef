// npm run restore -- --from FILE [--deleted LIST] [--replace] [--country IN]: puts a backup in the place of what the database
// holds, brings it up to date, and deletes again who is on the list that DELETIONS_FILE names.
import { deleteAgain } from '../rules/deletion/deletion.ts';
import { differences, restore } from '../store/backup.ts';
import { deletedIn } from '../store/deletionList.ts';
import { now } from '../store/system.ts';
import { command, inEach } from './command.ts';

await command(
  process.env,
  'restore',
  'from',
  async ({ database, secrets, given }, file, mayReplace) => {
    const list = given['deleted']?.toString();
    // A list that cannot be read stops it before anything is replaced.
    const userIds = list === undefined ? [] : await deletedIn(list);
    const { rows, header } = await restore(database(), file, mayReplace);
    const [again] = await inEach([database()], async (db) => await deleteAgain(db, userIds, await now(db)));
    const other = differences(header, secrets);
    return [
      `${rows} rows of ${header.tables.length} tables as of ${header.at} are restored.`,
      list === undefined
        ? 'Accounts that were deleted since then are there again: --deleted LIST deletes them.'
        : `${again} accounts that ${list} names are deleted again.`,
      ...(other.length === 0
        ? []
        : [
            ...other,
            'Payments that are under way there, and pages that asked for notices, know the former one: give it back, or settle them by hand.',
          ]),
    ].join('\n');
  },
  { deleted: 'string' },
);
