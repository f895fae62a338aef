import { randomBytes } from 'node:crypto';
import { countries } from '../../../country/index.ts';
import type { ChargeRow } from '../store/bank.ts';
import { escapeHtml } from '../../domain/html.ts';
import { decimal } from '../../domain/money.ts';

/** The currency symbol that the shop uses; any country with this currency gives it. */
const symbolOf = (currency: string) =>
  countries.find((country) => country.CURRENCY_CODE === currency)?.CURRENCY_SYMBOL ?? currency;

const STYLE = `
:root{color-scheme:light dark;--ink:#16212e;--soft:#5b6a7a;--card:#fff;--line:#dfe6ee;--page:linear-gradient(160deg,#eaf3fb,#f6f2ea);--blue:#0066A7;--green:#3f7a00;--red:#b3261e;--amber:#8a5a00}
@media (prefers-color-scheme:dark){:root{--ink:#eef3f8;--soft:#a9b7c6;--card:#18222d;--line:#2c3a49;--page:linear-gradient(160deg,#0d1620,#171c18);--blue:#6bb8ee;--green:#9bd35a;--red:#ff8a80;--amber:#f5c063}}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;display:grid;place-items:center;padding:16px;background:var(--page);color:var(--ink);font:16px/1.5 system-ui,sans-serif}
main{width:100%;max-width:420px;background:var(--card);border:1px solid var(--line);border-radius:16px;padding:24px;box-shadow:0 12px 40px rgb(10 30 60/.12)}
header{display:flex;align-items:center;gap:12px;color:var(--soft);font-size:14px}
header svg{width:40px;height:40px;flex:none}
header b{display:block;color:var(--ink);font-size:16px}
h1{font-size:40px;line-height:1.1;margin:24px 0 4px;letter-spacing:-.02em}
p{margin:4px 0 0;color:var(--soft)}
dl{margin:20px 0;border-top:1px solid var(--line)}
dl div{display:flex;justify-content:space-between;gap:16px;padding:10px 0;border-bottom:1px solid var(--line)}
dt{color:var(--soft)}dd{margin:0;text-align:right;overflow-wrap:anywhere}
form{display:grid;gap:12px}
button,a.button{display:block;width:100%;min-height:52px;border-radius:12px;border:2px solid transparent;font:600 17px/1.2 system-ui,sans-serif;cursor:pointer;text-align:center;text-decoration:none;padding:14px}
.yes{background:var(--green);color:var(--card)}
label{display:grid;gap:4px;font-size:14px;color:var(--soft)}
input:not([type=hidden]),select{width:100%;min-height:48px;padding:10px 12px;border:1px solid var(--line);border-radius:10px;background:transparent;color:var(--ink);font:16px/1.3 system-ui,sans-serif}
select option{color:#16212e;background:#fff}
summary{padding:12px 0;color:var(--soft);font-size:14px;cursor:pointer}
h1.small{font-size:26px;letter-spacing:0;margin:20px 0 8px}
h1.small+p{margin-bottom:16px}
.no{background:transparent;border-color:var(--red);color:var(--red)}
.later{background:transparent;border-color:var(--line);color:var(--ink)}
.back{background:var(--blue);color:var(--card);margin-top:20px}
button:focus-visible,a:focus-visible{outline:3px solid var(--blue);outline-offset:3px}
.mark{width:72px;height:72px;margin:20px 0 0;color:var(--soft)}
.SUCCESS{color:var(--green)}.PENDING{color:var(--amber)}.FAILED{color:var(--red)}
header+p{margin-top:20px}header+p+h1{margin-top:4px}
small{display:block;margin-top:20px;color:var(--soft);font-size:13px}`;

export const LOGO =
  '<svg viewBox="0 0 40 40" aria-hidden="true"><rect width="40" height="40" rx="10" fill="#0066A7"/><path d="M20 8 8 15h24zM11 18h4v10h-4zm7 0h4v10h-4zm7 0h4v10h-4zM8 30h24v3H8z" fill="#fff"/></svg>';

/** A complete page of an imitated vendor with its headers. The policy allows only the style of the page itself, and no scripts. */
export function page(title: string, body: string, status = 200): Response {
  const nonce = randomBytes(16).toString('base64');
  return new Response(
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>${escapeHtml(title)}</title><style nonce="${nonce}">${STYLE}</style></head><body><main>${body}</main></body></html>`,
    {
      status,
      headers: {
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-store',
        'referrer-policy': 'same-origin',
        'x-content-type-options': 'nosniff',
        'content-security-policy': `default-src 'none'; style-src 'nonce-${nonce}'; form-action 'self'; base-uri 'none'; frame-ancestors 'self'`,
      },
    },
  );
}

const NAMES: Readonly<Record<string, string>> = {
  UPI: 'Embedded UPI app',
  CARD: 'Embedded Card Bank',
  NETBANKING: 'Embedded Net Banking',
  MFS: 'Embedded Mobile Money',
};

const RESULTS: Readonly<Record<ChargeRow['state'], { title: string; text: string; path: string }>> = {
  WAITING: { title: '', text: '', path: '' },
  SUCCESS: { title: 'Paid', text: 'The money was taken. The shop has been told.', path: 'M20 38 31 49 53 25' },
  PENDING: {
    title: 'On its way',
    text: 'The banks have not settled this payment yet. Do not pay again: the shop is told as soon as it is known.',
    path: 'M36 20v18l11 7',
  },
  FAILED: { title: 'Not paid', text: 'This payment did not go through.', path: 'M25 25l22 22M47 25 25 47' },
  CANCELLED: { title: 'Closed', text: 'This payment was closed. No money was taken.', path: 'M25 36h22' },
};

/**
 * The page where the customer approves or declines a charge, or sees the result. `action` is the address of the form,
 * `name` the heading of the page.
 */
export function chargePage(
  charge: ChargeRow,
  action: string,
  name = NAMES[charge.channel] ?? 'Embedded bank',
): Response {
  const amount = `${symbolOf(charge.currency)} ${decimal(charge.amount)}`;
  const head = `<header>${LOGO}<span><b>${name}</b>Simulated: no real money moves</span></header>`;
  if (charge.state !== 'WAITING') {
    const result = RESULTS[charge.state];
    return page(
      `${result.title}: ${amount}`,
      `${head}
<svg class="mark ${charge.state}" viewBox="0 0 72 72" aria-hidden="true"><circle cx="36" cy="36" r="33" fill="none" stroke="currentColor" stroke-width="5"/><path d="${result.path}" fill="none" stroke="currentColor" stroke-width="6" stroke-linecap="round" stroke-linejoin="round"/></svg>
<h1>${result.title}</h1><p><span translate="no">${escapeHtml(amount)}</span>. ${result.text}</p>
<a class="button back" href="${escapeHtml(charge.return_url)}">Back to the shop</a>`,
    );
  }
  const rows: [string, string][] = [
    ['To', charge.payee_vpa ?? 'Golden Oven Pizza'],
    ...(charge.description === charge.reference ? [] : [['For', charge.description] as [string, string]]),
  ];
  if (charge.last_four !== null) rows.push(['Card', `•••• ${charge.last_four}`]);
  if (charge.collect_vpa !== null) rows.push(['UPI id', charge.collect_vpa]);
  rows.push(['Reference', charge.reference]);
  return page(
    `${name}: ${amount}`,
    `${head}
<p>${charge.channel === 'CARD' ? 'Confirm this card payment' : 'You pay'}</p><h1 translate="no">${escapeHtml(amount)}</h1>
<dl>${rows.map(([term, text]) => `<div><dt>${term}</dt><dd translate="no">${escapeHtml(text)}</dd></div>`).join('')}</dl>
<form method="post" action="${escapeHtml(action)}">
<input type="hidden" name="reference" value="${escapeHtml(charge.reference)}"><input type="hidden" name="key" value="${escapeHtml(charge.channel === 'UPI' ? '' : charge.page_key)}">
<button class="yes" name="answer" value="approve">Approve</button>
<button class="no" name="answer" value="decline">Decline</button>
<button class="later" name="answer" value="pending">Leave pending</button>
</form><small>Closing this page pays nothing. You can go back to the shop and choose another way to pay.</small>`,
  );
}

export function notFoundPage(): Response {
  return page(
    'Not found',
    `<header>${LOGO}<span><b>Embedded bank</b>Simulated: no real money moves</span></header><h1>Not found</h1><p>This payment is not known here, or its link is incomplete. Go back to the shop and start again.</p>`,
    404,
  );
}
