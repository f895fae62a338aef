import { countryConfig } from '../../../../country/index.ts';
import type { Country } from '../../../../country/shape.ts';
import type { HandedOver } from '../../../contract/deletion.ts';
import { writtenNumber } from '../../../domain/funds.ts';
import { internationalPhone } from '../../../domain/phone.ts';
import { jobs } from '../../call/jobs.ts';
import { dateText, dayText, formatMoney, inLanguage, languageAsked, t } from '../../call/language.ts';
import type { CountryCode } from '../../call/caller.ts';
import type { Db, Tx } from '../../store/db.ts';
import { newToken } from '../../store/ids.ts';
import { enqueue } from '../../store/jobs.ts';
import { seal, unseal } from '../../store/seal.ts';
import { secret } from '../../store/system.ts';

// A change of how an account is entered may come from somebody else than its owner: its number is told, by SMS and without
// a code, so that there is nothing in it to talk anybody out of.

/**
 * `end`: the last digits of the number that is in the place of the one that hears it; `days`: so long nobody was here;
 * `keys`: number and pin of an e-voucher, sealed, since whoever reads them can pay with it.
 */
type About =
  | { readonly kind: 'password' }
  | { readonly kind: 'number'; readonly end: string }
  | { readonly kind: 'passed'; readonly days: number }
  | { readonly kind: 'deleted'; readonly dueAt: number }
  | ({ readonly kind: 'voucher'; readonly keys: string } & Omit<HandedOver, 'number' | 'pin'>);

interface News {
  /** Here as the account's deletion looks for it (store/personal.ts). */
  readonly userId: string;
  readonly country: CountryCode;
  /** The country's own digits. */
  readonly mobile: string;
  readonly about: About;
  readonly language: string;
}

const sealingKey = (db: Db): Promise<string> => secret(db, 'news', newToken);

/** What is told of an e-voucher that was on the account alone, and is paid with without it from then on. */
export async function aboutVoucher(db: Db, { number, pin, ...rest }: HandedOver): Promise<About> {
  return { kind: 'voucher', keys: seal(await sealingKey(db), JSON.stringify([number, pin])), ...rest };
}

async function textOf(db: Db, about: About, config: Country): Promise<string> {
  const app = config.appName;
  if (about.kind === 'password') return t.passwordNews({ app });
  if (about.kind === 'number') return t.numberNews({ app, end: about.end });
  if (about.kind === 'passed') return t.passedNews({ app, days: about.days });
  if (about.kind === 'deleted') return t.deleteNews({ app, day: dayText(about.dueAt, config) });
  const keys = unseal(await sealingKey(db), about.keys);
  if (keys === null) throw new Error('the keys of an e-voucher were sealed with another secret');
  const [number, pin] = JSON.parse(keys) as [string, string];
  const own = countryConfig(about.country);
  return t.voucherKept({
    app: own.appName,
    amount: formatMoney(about.balance, own),
    day: dateText(about.expiresAt, own),
    number: writtenNumber(number),
    pin,
  });
}

/** Tells a number what was changed, in the language of who did; planned in the transaction that changes it. */
export async function tellOwner(tx: Tx, to: Pick<News, 'userId' | 'country' | 'mobile'>, about: About, now: number) {
  const { userId, country, mobile } = to;
  const payload: News = { userId, country, mobile, about, language: languageAsked() };
  // A process of an older release would say another sentence for what it does not know; a job it does not know it leaves.
  const isOfDeletion = about.kind === 'deleted' || about.kind === 'voucher';
  await enqueue(tx, { kind: isOfDeletion ? 'owner.leaves' : 'owner.news', runAt: now, payload });
}

/** At least once: a process may end between the message and the end of its job. */
for (const kind of ['owner.news', 'owner.leaves'])
  jobs.on<News>(kind, async ({ country, mobile, about, language }, { db, services }) => {
    const config = countryConfig(country);
    const text = await inLanguage(language, () => textOf(db, about, config));
    await services.sms.send(db, internationalPhone(mobile, config), text);
  });
