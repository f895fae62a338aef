// npm run backup -- --to FILE [--replace]: writes all that the database holds into a file, while the shop serves.
import { existsSync } from 'node:fs';
import { backUp } from '../store/backup.ts';
import { command } from './command.ts';

await command(process.env, 'backup', 'to', async ({ database, isThere, secrets }, file, mayReplace) => {
  if (!isThere) throw new Error(`there is no database ${database}`);
  if (existsSync(file) && !mayReplace) throw new Error(`${file} is there already: --replace writes over it`);
  const { rows, header } = await backUp(database, file, secrets);
  return `${rows} rows of ${header.tables.length} tables as of ${header.at} are in ${file}. It holds customers' data and the shop's keys: keep it like the database itself.`;
});
