import { expect, test } from 'vitest';
import { countryConfig } from '../../country/index.ts';
import type { Intent } from '../../src/domain/chat/intents.ts';
import { isDishWord } from '../../src/domain/dishwords.ts';
import { understand, wordsOfMenu } from '../../src/domain/chat/understand.ts';
import { indexOf } from '../../src/domain/search.ts';
import { defaultMenu } from '../../src/server/rules/catalogue/menu.ts';

const menu = defaultMenu(countryConfig('india'), 'en');
const labels = new Map(menu.categories.map((one) => [one.id, one.label]));
const ours = wordsOfMenu(indexOf(menu.items, (id) => labels.get(id) ?? ''));

/**
 * In the words that make it so, and where several things are said, with those that would make it another question: what is
 * told more exactly counts. Some are of words alone, as people type them who are in a hurry.
 */
const MEANT: Readonly<Partial<Record<Intent, string>>> = {
  refund: `refund / refund cancel zebra lion / money back / when money back, wrong / when money back, failed
    / cancel my order money back / money back cancel wrong`,
  invoice: 'invoice / invoice bill zebra lion / I want my bill',
  allergens: `allergen / contain gluten / gluten allergen invoice / contain allergen refund / gluten paneer
    / gluten allergen zebra lion`,
  cancel: 'cancel / cancel order missing / cancel order damaged / I do not want this order',
  address: `change address / wrong address / address of my order / when address order / arrive change address invoice
    / delivery address / arrive address when`,
  note: `change the note cancel / note change cold / note order taste / note order late / where note rider / note rider cancel
    / note store missing / where note arrive / note arrive missing / note / when rider call`,
  missing: `missing / missing order address / missing order cold / extra not arrived / missing gluten cancel`,
  cold: `cold / cold order note / cold order damaged / cold arrive cancel / cold arrive address / cold arrive order invoice`,
  damaged: 'damaged / damaged order address / damaged order offer / damaged arrive cancel / damaged arrive note',
  taste: 'taste / taste order late / taste order hours / taste not payment / taste not offer',
  rider: 'rude / where rude rider / rude rider missing / taste rider',
  bill: `wrong bill / extra bill / extra money / money wrong / extra fee / payment extra bill refund`,
  payment: `payment failed / money failed / payment not / payment extra / payment wrong / money failed order not invoice`,
  wrong: 'wrong order / wrong arrive / wrong menu / wrong order arrive taste / wrong arrive order offer',
  late: 'late / late order wrong / late order hours / late arrive order cancel / late arrive order address',
  notDelivered: 'not arrive / not arrive order call / not arrive order menu / order has not arrived',
  where: `where / where train taste / when train / late train / train order where address / where order again / where order fee
    / when order / when arrive / where arrive late / where rider cancel / when arrive order hours / when not arrive order cancel
    / minutes order arrive / late where order / where order not arrive missing`,
  code: `train code / handover code / order code / where code / code handover rider taste / rider code`,
  offers: 'offer / offer today cancel / offer today cold / offer order address / offer order taste / code train offer',
  hours: `hours / store open / open today / when open / open hours cancel / open late / store when
    / open store when note`,
  promise: `promise / minutes free / late free / minutes promise cancel / minutes promise note / minutes free late invoice
    / minutes free late refund`,
  fees: 'delivery fee / order fee / free delivery / fee price / delivery price / fee arrive when',
  later: 'schedule / schedule order / order in advance / advance order today when',
  again: 'again order when / again last order address / last order want / again / again order zebra',
  dish: `menu / want menu zebra / where want menu / price menu cancel / paneer / want paneer zebra lion / where price paneer
    / want cold`,
  person: `human / where call someone / call someone cancel / call human missing / human someone cold / call / order call
    / call store taste / help someone`,
  yes: 'yes',
  no: 'no',
  able: 'help / hello help cancel',
  hello: 'hello',
  thanks: 'thanks',
};
const rows = Object.entries(MEANT).flatMap(([intent, all]) =>
  all.split('/').map((asked) => [asked.trim().replaceAll(/\s+/g, ' '), intent] as const),
);

test.each(rows)('%j is %s', (asked, intent) => {
  expect(understand(asked, { ours, isDishWord }).intent).toBe(intent);
});

test.each([
  'invoice wrong',
  'invoice extra',
  'no delivery',
  'order not again',
  'yes zebra',
  'thanks zebra',
  'hello zebra',
  'no zebra',
])('%j is nothing that it knows', (asked) => {
  expect(understand(asked, { ours, isDishWord }).intent).toBeNull();
});
