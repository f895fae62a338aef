/**
 * Loaded before the product's server (`--import`): counts its statements, which of them begin or end a transaction, and those
 * commits that make something durable, and prints `COUNTED statements boundaries commits` when it is sent SIGUSR2.
 */
import { hearStatements, isBoundary, isSavepoint } from '../kit/asked.ts';

const counted = { statements: 0, boundaries: 0, commits: 0 };
interface Transaction {
  isOpen: boolean;
  hasWritten: boolean;
}
const transactions = new WeakMap<object, Transaction>();

hearStatements((sql, connection) => {
  if (isSavepoint(sql)) return;
  const transaction = transactions.get(connection) ?? { isOpen: false, hasWritten: false };
  transactions.set(connection, transaction);
  counted.statements += 1;
  if (isBoundary(sql)) counted.boundaries += 1;
  const isWrite = /^\s*(insert|update|delete|with)\b/i.test(sql);
  if (/^\s*begin/i.test(sql)) Object.assign(transaction, { isOpen: true, hasWritten: false });
  else if (/^\s*(commit|rollback)/i.test(sql)) {
    if (/^\s*commit/i.test(sql) && transaction.hasWritten) counted.commits += 1;
    transaction.isOpen = false;
  } else if (isWrite && transaction.isOpen) transaction.hasWritten = true;
  else if (isWrite) counted.commits += 1;
});

process.on('SIGUSR2', () => console.log('COUNTED', ...Object.values(counted)));
