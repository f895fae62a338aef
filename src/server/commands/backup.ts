// npm run backup -- --to FILE [--replace] [--country IN]: writes all that the database holds into a file, while the shop serves.
import { existsSync } from 'node:fs';
import { backUp } from '../store/backup.ts';
import { command } from './command.ts';

await command(process.env, 'backup', 'to', async ({ database, secrets }, file, mayReplace) => {
  const target = database();
  if (!/^postgres(ql)?:/.test(target) && !existsSync(target)) throw new Error(`there is no database ${target}`);
  if (existsSync(file) && !mayReplace) throw new Error(`${file} is there already: --replace writes over it`);
  const { rows, header } = await backUp(target, file, secrets);
  return `${rows} rows of ${header.tables.length} tables as of ${header.at} are in ${file}. It holds customers' data and the shop's keys: keep it like the database itself.`;
});
