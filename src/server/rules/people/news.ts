import { countryConfig } from '../../../../country/index.ts';
import { internationalPhone } from '../../../domain/phone.ts';
import { jobs } from '../../call/jobs.ts';
import { inLanguage, languageAsked, t } from '../../call/language.ts';
import type { CountryCode } from '../../call/caller.ts';
import type { Tx } from '../../store/db.ts';
import { enqueue } from '../../store/jobs.ts';

// Who changes how an account is entered may be somebody else than its owner: the number hears of it, by SMS and without
// a code, so that there is nothing in it to talk anybody out of.

/** `end`: the last digits of the number that is in the place of the one that hears it; `days`: so long nobody was here. */
type About =
  | { readonly kind: 'password' }
  | { readonly kind: 'number'; readonly end: string }
  | { readonly kind: 'passed'; readonly days: number };

interface News {
  /** Here as the account's deletion looks for it (store/personal.ts). */
  readonly userId: string;
  readonly country: CountryCode;
  /** The country's own digits. */
  readonly mobile: string;
  readonly about: About;
  readonly language: string;
}

function textOf(about: About, app: string): string {
  if (about.kind === 'password') return t.passwordNews({ app });
  return about.kind === 'number' ? t.numberNews({ app, end: about.end }) : t.passedNews({ app, days: about.days });
}

/** Tells a number what was changed, in the language of who did; planned in the transaction that changes it. */
export async function tellOwner(tx: Tx, to: Pick<News, 'userId' | 'country' | 'mobile'>, about: About, now: number) {
  const { userId, country, mobile } = to;
  const payload: News = { userId, country, mobile, about, language: languageAsked() };
  await enqueue(tx, { kind: 'owner.news', runAt: now, payload });
}

/** At least once: a process may end between the message and the end of its job. */
jobs.on<News>('owner.news', async ({ country, mobile, about, language }, { db, services }) => {
  const config = countryConfig(country);
  const text = inLanguage(language, () => textOf(about, config.appName));
  await services.sms.send(db, internationalPhone(mobile, config), text);
});
