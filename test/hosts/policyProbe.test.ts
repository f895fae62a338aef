import { Window } from 'happy-dom';
import { describe, expect, it } from 'vitest';
import { HOSTS, stage } from './stage.ts';
import { forbiddenElements } from './policyProbe.ts';

const ORIGIN = 'https://pizza.example';
function draw(html: string): ParentNode {
  const { document } = new Window({ url: `${ORIGIN}/in/paytm/` });
  document.body.innerHTML = html;
  return document.body as unknown as ParentNode;
}

describe('policy probe', () => {
  const screens: [string, string, string[]][] = [
    ['a way out', '<a href="https://elsewhere.example">x</a>', ['paytm']],
    ['a link of our own', `<a href="${ORIGIN}/in/paytm/menu">x</a><a href="/in/paytm/cart">y</a>`, []],
    ['a new window', '<a href="/in/paytm/terms" target="_blank">x</a>', ['frame', 'gpay', 'paytm']],
    ['another wallet', '<button data-mode="UPI">x</button>', ['paytm']],
    ["the partner's mode", '<button data-mode="PAYTM">x</button>', []],
    ['an own login', '<input autocomplete="one-time-code">', ['paytm']],
    ['an own address form', '<input autocomplete="address-line1">', ['paytm']],
    ['an installation', '<button data-part="install">x</button>', ['frame', 'paytm']],
  ];
  for (const [name, html, where] of screens) {
    it(`${name} is found where the host forbids it, and only there`, () => {
      const found = HOSTS.filter((id) => forbiddenElements(draw(html), stage(id).bridge.forbids, ORIGIN).length > 0);
      expect(found).toEqual(where);
    });
  }
});
