// npm run tickets: what waits for a person's answer. npm run tickets -- --answer ID [--amount 120.50 | --refuse] [--say "..."]: answers one.
import { answerByPerson, waitingList } from '../rules/help/operatorDesk.ts';
import { command, inEach } from './command.ts';

const OPTIONS = { answer: 'string', amount: 'string', refuse: 'boolean', say: 'string' } as const;
await command(
  process.env,
  'tickets',
  null,
  async ({ databases, given }) => {
    const text = (name: keyof typeof OPTIONS) => given[name]?.toString();
    const ticketId = text('answer');
    if (ticketId === undefined) {
      if (Object.keys(OPTIONS).some((name) => given[name] !== undefined)) throw new Error('which one? --answer ID');
      const waiting = (await inEach(databases, waitingList)).flat();
      return waiting.length === 0 ? 'Nobody waits for an answer.' : waiting.join('\n');
    }
    const answer = { amount: text('amount'), isRefused: given['refuse'] === true, sentence: text('say') };
    const said = (await inEach(databases, (db) => answerByPerson(db, ticketId, answer))).find((one) => one !== null);
    if (said === undefined) throw new Error(`there is no ticket ${ticketId}`);
    return `The customer is told: ${said}`;
  },
  OPTIONS,
);
