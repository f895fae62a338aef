// npm run restore -- --from FILE [--replace] [--country IN]: puts a backup in the place of what the database holds, and brings it up to date.
import { differences, restore } from '../store/backup.ts';
import { command } from './command.ts';

await command(process.env, 'restore', 'from', async ({ database, secrets }, file, mayReplace) => {
  const { rows, header } = await restore(database(), file, mayReplace);
  const other = differences(header, secrets);
  return [
    `${rows} rows of ${header.tables.length} tables as of ${header.at} are restored.`,
    ...(other.length === 0
      ? []
      : [
          ...other,
          'Payments that are under way there, and pages that asked for notices, know the former one: give it back, or settle them by hand.',
        ]),
  ].join('\n');
});
