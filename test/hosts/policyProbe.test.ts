import { Window } from 'happy-dom';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { ModeList } from '../../src/screens/payment/ModeList.tsx';
import type { PaymentOption } from '../../src/contract/payments.ts';
import { HOSTS, stage } from './stage.ts';
import { forbiddenElements } from './policyProbe.ts';

const ORIGIN = 'https://pizza.example';
function draw(html: string): ParentNode {
  const { document } = new Window({ url: `${ORIGIN}/in/paytm/` });
  document.body.innerHTML = html;
  return document.body as unknown as ParentNode;
}
/** The list of the payment page, as it really is, with these ways to pay. */
const modes = (...ids: readonly PaymentOption['id'][]) =>
  renderToStaticMarkup(
    createElement(ModeList, {
      options: ids.map((id) => ({ id, label: id, about: '' })),
      value: ids[0]!,
      onChange: () => {},
      isOpen: true,
      onOpen: () => {},
    }),
  );

describe('policy probe', () => {
  const screens: [string, string, string[]][] = [
    ['a way out', '<a href="https://elsewhere.example">x</a>', ['paytm']],
    ['a link of our own', `<a href="${ORIGIN}/in/paytm/menu">x</a><a href="/in/paytm/cart">y</a>`, []],
    ['a new window', '<a href="/in/paytm/terms" target="_blank">x</a>', ['frame', 'gpay', 'paytm']],
    ['another way to pay', modes('PAYTM', 'UPI'), ['gpay', 'paytm']],
    ["Paytm's own mode", modes('PAYTM'), ['gpay']],
    ["Google Pay's own mode", modes('GPAY'), ['paytm']],
    ['an own login', '<input autocomplete="one-time-code">', ['paytm']],
    ['an own address form', '<input autocomplete="address-line1">', ['paytm']],
    ['an installation', '<button data-part="install">x</button>', ['frame', 'paytm']],
  ];
  for (const [name, html, where] of screens) {
    it(`${name} is found where the host forbids it, and only there`, () => {
      const found = HOSTS.filter(
        (id) => forbiddenElements(draw(html), stage(id).bridge.forbids, ORIGIN, id).length > 0,
      );
      expect(found).toEqual(where);
    });
  }
});
