import { countryConfig } from '../../../../country/index.ts';
import type { Call } from '../../call/call.ts';
import { errors } from '../../call/language.ts';
import { refuse } from '../../call/refusal.ts';
import { countEntries, entriesOf, type EntryRow } from '../../store/ledger.ts';

/**
 * A page of an account's entries, the newest first; of no account there is none.
 * @throws Refusal 422 PROGRAMME for another programme than the country's
 */
export async function statementOf(
  call: Call,
  accountId: string | undefined,
  query: {
    readonly loyaltyProgramCode?: string | undefined;
    readonly pageNumber?: string | undefined;
    readonly from?: string | undefined;
  },
  size: number,
): Promise<{ rows: EntryRow[]; pageNumber: number; pages: number; total: number }> {
  const programme = countryConfig(call.caller.country).LOYALTY_INFO_DEFAULT_DATA.loyaltyProgramCode;
  if (query.loyaltyProgramCode !== undefined && query.loyaltyProgramCode !== programme)
    refuse(422, 'PROGRAMME', errors.notFound, { field: 'loyaltyProgramCode' });
  const pageNumber = Number(query.pageNumber ?? '1');
  if (accountId === undefined) return { rows: [], pageNumber, pages: 0, total: 0 };
  const since = query.from === undefined ? 0 : Number(query.from);
  const total = await countEntries(call.db, accountId, since);
  const rows = await entriesOf(call.db, accountId, { since, offset: (pageNumber - 1) * size, limit: size });
  return { rows, pageNumber, pages: Math.ceil(total / size), total };
}
