import type { Policy } from '../../src/bridge/hostBridge.ts';

/** Where the element of a forbidden policy would show itself in a drawn screen. */
const SIGNS: Partial<Record<Policy, readonly string[]>> = {
  'own-login': ['input[autocomplete~="one-time-code"]', 'form[data-part="login"]', 'input[type="password"]'],
  'social-login': ['[data-provider]', 'a[href*="accounts.google.com"]', 'a[href*="facebook.com"]'],
  'other-payment': ['a[href^="upi:"]'],
  'install-prompt': [
    'link[rel="manifest"]',
    '[data-part="install"]',
    'a[href*="play.google.com"]',
    'a[href*="apps.apple.com"]',
    'a[href^="market:"]',
  ],
  'leave-host': [
    'a[href^="http:"]',
    'a[href^="https:"]',
    'a[href^="//"]',
    'a[href^="intent:"]',
    'form[action^="http"]',
  ],
  'new-window': ['a[target="_blank"]', 'form[target="_blank"]'],
  'own-address-form': ['input[autocomplete~="street-address"]', 'input[autocomplete~="address-line1"]'],
  'promo-message': ['[data-part="newsletter"]'],
};

/** A host that pays itself: the one way to pay that its screens may offer. */
const OWN_MODES: Readonly<Record<string, string>> = { gpay: 'GPAY', paytm: 'PAYTM' };
/** The ways to pay that a screen offers, by the values of their radio buttons. */
const modesIn = (root: ParentNode): string[] =>
  [...root.querySelectorAll('fieldset')]
    .filter((group) => group.querySelector('legend')?.textContent === 'Payment mode')
    .flatMap((group) => [...group.querySelectorAll('input[type="radio"]')])
    .map((radio) => radio.getAttribute('value') ?? '');

/** Elements that this host forbids, as `policy: selector`; links to the page's own origin may be absolute. */
export function forbiddenElements(
  root: ParentNode,
  forbids: ReadonlySet<Policy>,
  origin: string,
  host: string,
): string[] {
  const own = OWN_MODES[host];
  const modes = own === undefined ? [] : modesIn(root).filter((mode) => mode !== own);
  return [
    ...modes.map((mode) => `other-payment: ${mode}`),
    ...[...forbids].flatMap((policy) =>
      (SIGNS[policy] ?? []).flatMap((selector) =>
        [...root.querySelectorAll(selector)]
          .filter(
            (element) =>
              !(
                policy === 'leave-host' &&
                (element.getAttribute('href') ?? element.getAttribute('action'))?.startsWith(`${origin}/`)
              ),
          )
          .map(() => `${policy}: ${selector}`),
      ),
    ),
  ];
}
