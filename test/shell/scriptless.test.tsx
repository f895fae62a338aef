import { expect, test } from 'vitest';
import * as words from '#text/page.ts';
import { countries, countryConfig } from '../../country/index.ts';
import { lateNotice, listPage, noScriptNotice } from '../../src/build/noScriptNotice.ts';
import type { Bundle } from '../../src/build/bundles.ts';
import type { Menu } from '../../src/contract/menu.ts';
import { chargePage } from '../../src/server/vendors/bankPages.ts';
import type { ChargeRow } from '../../src/server/store/bank.ts';

/** What a translator would change of a page: its texts outside of what is marked to be left as it stands. */
function translated(html: string): string {
  const page = new DOMParser().parseFromString(html.replace(/<link[^>]*>/g, ''), 'text/html');
  for (const exact of page.querySelectorAll('[translate=no],title,style,script')) exact.remove();
  return page.body.textContent;
}

const menu = {
  categories: [{ id: '1', label: 'Pizzas' }],
  items: [
    { name: 'Garden Four', description: 'Four vegetables', categoryIds: ['1'], prices: { R: 11900, M: 24900 } },
    { name: 'Cola', description: 'Cold', categoryIds: ['1'], prices: { R: 6000 } },
  ],
} as unknown as Menu;

test.each(
  countries.flatMap(({ COUNTRY_CODE }) => [true, false].map((isStandalone) => [COUNTRY_CODE, isStandalone] as const)),
)(
  'phone numbers, prices and the name on pages without a script stand as they are in a translated one: %s, standalone %s',
  (code, isStandalone) => {
    const country = countryConfig(code);
    const bundle = { country, language: 'en' } as unknown as Bundle;
    const parts = { bundle, isStandalone, words };
    const pages = {
      list: listPage(parts, menu, 'list.css'),
      late: lateNotice(parts, 'list.html'),
      noScript: noScriptNotice(parts, 'list.html'),
    };
    for (const html of Object.values(pages)) {
      expect(html.replace(/\D/g, '')).toContain(country.HELP_DESK_NO.replace(/\D/g, '').slice(-7));
      expect(translated(html)).not.toMatch(/\d{3}|[₹৳]|Rs/);
    }
    expect(pages.list).toContain('Garden Four');
    expect(translated(pages.list)).not.toContain(country.appName);
  },
);

const charge = {
  reference: 'REF2611281234',
  channel: 'UPI',
  amount: 37_650,
  currency: 'INR',
  description: 'Order 9034',
  payee_vpa: 'goldenoven@embeddedbank',
  return_url: 'https://shop.example/order/1',
  last_four: '1111',
  collect_vpa: 'asha@okbank',
  state: 'WAITING',
} as ChargeRow;

test.each(['WAITING', 'SUCCESS', 'PENDING', 'FAILED'])(
  "amounts, references and ids on the bank's pages stand as they are in a translated one: %s",
  (state) =>
    chargePage({ ...charge, state } as ChargeRow, '/pay')
      .text()
      .then((html) => {
        expect(html).toContain('376.50');
        expect(translated(html)).not.toMatch(/376|REF|9034|1111|okbank|embeddedbank/);
      }),
);
