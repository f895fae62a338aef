import type { Menu } from '../../../contract/menu.ts';
import type { CountryCatalogue } from '../../call/catalogue.ts';
import { languageAsked } from '../../call/language.ts';
import { PreparedReply, succeeded } from '../../call/preparedReply.ts';
import { menuOf } from './menu.ts';

const KEPT_AT_MOST = 200;

interface MenuReplies {
  readonly menu: Menu;
  readonly whole: PreparedReply;
  readonly unchanged: PreparedReply;
}
/** Menus that were already built, by country, language, catalogue version, store and sold-out products. */
const made = new Map<string, MenuReplies>();

/** The menu of a store, from those that were already built if it is among them. */
export function menuReplies(catalogue: CountryCatalogue, storeId: string, soldOut: ReadonlySet<string>): MenuReplies {
  const key = [
    catalogue.country.COUNTRY_CODE,
    languageAsked(),
    catalogue.version,
    storeId,
    ...[...soldOut].sort(),
  ].join(' ');
  const known = made.get(key);
  if (known) return known;
  const body = menuOf(catalogue, storeId, soldOut);
  const { version } = body;
  const fresh: MenuReplies = {
    menu: body,
    whole: new PreparedReply(JSON.stringify(succeeded({ version, menu: body })), {
      etag: `"${version}"`,
      isKept: true,
    }),
    unchanged: new PreparedReply(JSON.stringify(succeeded({ version })), {
      etag: `"${version}-same"`,
      isKept: true,
    }),
  };
  if (made.size >= KEPT_AT_MOST) made.delete(made.keys().next().value ?? key);
  made.set(key, fresh);
  return fresh;
}
