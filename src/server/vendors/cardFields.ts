import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { ApiError } from '../../contract/reply.ts';
import { trimmedEnd } from '../../domain/trimmedEnd.ts';
import { latinDigits } from '../../domain/typedText.ts';
import { inLanguage, languageFor, t } from '../call/language.ts';
import type { Db } from '../store/db.ts';
import { derived, newToken } from '../store/ids.ts';
import { seal, unseal } from '../store/seal.ts';
import { now, secret } from '../store/system.ts';
import { escapeHtml } from '../../domain/html.ts';
import { MINUTE_MS } from '../../domain/time.ts';
import { LOGO } from './bankPages.ts';
import { checkCard, checkCvv, type CardFacts } from './cards.ts';

// The imitated bank's page with the fields for a card, as ../providers/CARD_FIELDS.md wants it: in a frame of the shop's
// page, or by itself where frames are forbidden. It is served at an origin of its own, so that the shop's page cannot
// read what is typed. It writes nothing down: what it gives out is sealed, and only the bank's desk opens it.

const LIFE_MS = 15 * MINUTE_MS;
const LARGEST_BODY = 4 * 1024;

/** What a token of the fields stands for: a card, or the code of a card that the bank keeps. */
type FieldToken =
  | (CardFacts & { readonly kind: 'card'; readonly fingerprint: string; readonly at: number })
  | { readonly kind: 'cvv'; readonly digits: number; readonly at: number };

const keyOf = (db: Db) => secret(db, 'bank-fields', newToken);

/** The card that was typed for a token of the fields; null when the token is not ours, or older than a quarter of an hour. */
export async function typedFor(db: Db, token: string, at: number): Promise<FieldToken | null> {
  const text = unseal(await keyOf(db), token.replace(/^fields_/, ''));
  const typed = text === null ? null : (JSON.parse(text) as FieldToken);
  return typed !== null && typed.at + LIFE_MS > at ? typed : null;
}

/** What the page was opened for: the query of its address. */
interface PageOptions {
  readonly shop: string;
  readonly language: string;
  readonly kept: { readonly brand: string; readonly lastFour: string } | null;
  /** Where the customer goes with the token, when the page stands by itself. */
  readonly returnUrl: string | null;
}
type Fields = Readonly<Record<string, string>>;

/** @returns null when the page was opened for no merchant of this bank */
function askedIn(query: URLSearchParams, isShop: (origin: string) => boolean): PageOptions | null {
  const shop = query.get('origin') ?? '';
  const returnUrl = query.get('return');
  if (!isShop(shop) || (returnUrl !== null && URL.parse(returnUrl)?.origin !== shop)) return null;
  return {
    shop,
    language: languageFor([query.get('lang') ?? '']),
    kept:
      query.get('kind') === 'cvv'
        ? { brand: query.get('brand') ?? '', lastFour: latinDigits(query.get('digits') ?? '').slice(-4) }
        : null,
    returnUrl,
  };
}

/** Exchanges what was typed for a token. */
async function exchanged(
  db: Db,
  { kept }: PageOptions,
  typed: Fields,
): Promise<{ token: string } | { problems: ApiError[] }> {
  const at = await now(db);
  const field = (name: string) => typed[name] ?? '';
  const sealed = async (what: FieldToken) => ({ token: `fields_${seal(await keyOf(db), JSON.stringify(what))}` });
  if (kept !== null) {
    const problems = checkCvv(kept.brand, field('cvv'));
    return problems.length > 0 ? { problems } : sealed({ kind: 'cvv', digits: latinDigits(field('cvv')).length, at });
  }
  const { problems, facts } = checkCard({ number: field('number'), expiry: field('expiry'), cvv: field('cvv') }, at);
  if (facts === null) return { problems };
  const fingerprint = derived(await secret(db, 'bank-cards', newToken), latinDigits(field('number')));
  return sealed({ kind: 'card', ...facts, fingerprint, at });
}

const STYLE = `
:root{color-scheme:light dark;--ink:#16212e;--soft:#5b6a7a;--card:#fff;--edge:#8a97a5;--focus:#0066a7;--wrong:#b3261e;--radius:3px}
@media (prefers-color-scheme:dark){:root{--ink:#eef3f8;--soft:#a9b7c6;--card:#18222d;--edge:#7c8b9b;--focus:#6bb8ee;--wrong:#ff8a80}}
*{box-sizing:border-box}
body{margin:0;padding:4px;color:var(--ink);font:15px/1.5 system-ui,-apple-system,'Segoe UI',Roboto,'Noto Sans','Noto Sans Bengali','Noto Sans Sinhala',sans-serif}
form{display:grid;gap:12px}
.pair{display:grid;grid-template-columns:1fr 1fr;gap:12px}
.field{display:grid;gap:4px;align-content:start;min-width:0}
label{font-size:13px;font-weight:650}
input{width:100%;min-height:48px;padding:9px 13px;border:1.5px solid var(--edge);border-radius:var(--radius);background:var(--card);color:inherit;font:inherit;font-size:16px}
input:focus{border-color:var(--focus);outline:3px solid var(--focus);outline-offset:0}
input[aria-invalid]{border-color:var(--wrong);box-shadow:0 0 0 1px var(--wrong)}
.hint,.error{font-size:13px}.hint{color:var(--soft)}.error{color:var(--wrong);font-weight:600}.hint:empty,.error:empty{display:none}
main{max-width:420px;margin:0 auto;padding:24px 16px}
header{display:flex;align-items:center;gap:12px;color:var(--soft);font-size:14px}header svg{width:40px;height:40px;flex:none}header b{display:block;color:var(--ink);font-size:16px}
h1{font-size:24px;line-height:1.25;margin:20px 0 16px}
button,a.button{display:block;width:100%;min-height:52px;padding:14px;border:0;border-radius:var(--radius);background:var(--focus);color:var(--card);font:600 17px/1.2 system-ui,sans-serif;text-align:center;text-decoration:none;cursor:pointer}
[hidden]{display:none}
button:focus-visible,a:focus-visible{outline:3px solid var(--ink);outline-offset:3px}
@media (forced-colors:active){input:focus{outline:3px solid Highlight}}
`;

interface Field {
  readonly id: string;
  readonly autocomplete: string;
  readonly label: string;
  readonly hint?: string;
  readonly extra: string;
}
const DIGITS = 'inputmode="numeric"';
const cvvField = (label: string, hint: 'next' | 'done'): Field => ({
  id: 'cvv',
  autocomplete: 'cc-csc',
  label,
  hint: t.fieldsCvvHint,
  extra: `type="password" maxlength="4" ${DIGITS} enterkeyhint="${hint}"`,
});

function fieldHtml({ id, autocomplete, label, hint = '', extra }: Field, typed: Fields, problems: readonly ApiError[]) {
  const problem = problems.find(({ field }) => field === id);
  // A security code is typed anew.
  const value = id === 'cvv' ? '' : (typed[id] ?? '');
  return `<div class="field"><label for="${id}">${escapeHtml(label)}</label><input id="${id}" name="${autocomplete}" autocomplete="${autocomplete}" ${extra} value="${escapeHtml(value)}"${problem ? ' aria-invalid="true"' : ''} aria-describedby="${id}-hint ${id}-error"><div class="hint" id="${id}-hint">${escapeHtml(hint)}</div><div class="error" id="${id}-error">${escapeHtml(problem?.displayMsg ?? '')}</div></div>`;
}

function fieldsHtml({ kept }: PageOptions, typed: Fields, problems: readonly ApiError[]): string {
  const html = (field: Field) => fieldHtml(field, typed, problems);
  if (kept !== null) return html(cvvField(t.fieldsCvvOf({ digits: kept.lastFour }), 'done'));
  return [
    html({
      id: 'number',
      autocomplete: 'cc-number',
      label: t.fieldsNumber,
      extra: `maxlength="30" ${DIGITS} enterkeyhint="next"`,
    }),
    '<div class="pair">',
    html({
      id: 'expiry',
      autocomplete: 'cc-exp',
      label: t.fieldsExpiry,
      hint: t.fieldsExpiryHint,
      extra: `maxlength="9" ${DIGITS} enterkeyhint="next"`,
    }),
    html(cvvField(t.fieldsCvv, 'next')),
    '</div>',
    html({
      id: 'name',
      autocomplete: 'cc-name',
      label: t.fieldsName,
      extra: 'maxlength="80" enterkeyhint="done"',
    }),
  ].join('');
}

/** @param form where the browser may send a form of the page */
function pageOf(
  title: string,
  {
    language,
    body,
    form,
    status = 200,
  }: {
    readonly language: string;
    readonly body: string;
    readonly form: string;
    readonly status?: number;
  },
): Response {
  const nonce = randomBytes(16).toString('base64');
  return new Response(
    `<!doctype html><html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>${escapeHtml(title)}</title><style nonce="${nonce}">${STYLE}</style></head>${body}</html>`,
    {
      status,
      headers: {
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-store',
        'referrer-policy': 'no-referrer',
        'x-content-type-options': 'nosniff',
        // No frame-ancestors is sent: the shop itself may be in a frame of a payment app. A page that
        // shows it hears nothing of it, since it speaks with the shop's origin alone.
        'content-security-policy': `default-src 'none'; script-src 'self'; style-src 'nonce-${nonce}'; connect-src 'self'; form-action ${form}; base-uri 'none'`,
      },
    },
  );
}

function page(asked: PageOptions, typed: Fields = {}, problems: readonly ApiError[] = []): Response {
  const { language, shop } = asked;
  const fields = fieldsHtml(asked, typed, problems);
  if (asked.returnUrl === null)
    return pageOf(t.fieldsTitle, {
      language,
      form: "'none'",
      body: `<body data-origin="${escapeHtml(shop)}"><form novalidate>${fields}<button type="submit" hidden></button></form><script src="/card-fields/fields.js"></script></body>`,
    });
  return pageOf(t.fieldsTitle, {
    language,
    // The shop's origin as well: browsers hold a redirect after a form to this.
    form: `'self' ${shop}`,
    body: `<body><main><header>${LOGO}<span><b>Embedded Card Bank</b>Simulated: no real money moves</span></header><h1>${escapeHtml(t.fieldsTitle)}</h1><form novalidate method="post">${fields}<button>${escapeHtml(t.fieldsContinue)}</button></form></main></body>`,
  });
}

const script = readFile(new URL('cardFields.js', import.meta.url), 'utf8');
const notHere = () => new Response('There is nothing here.', { status: 404 });
const json = (status: number, reply: object) =>
  new Response(JSON.stringify(reply), {
    status,
    headers: { 'content-type': 'application/json', 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' },
  });

/** The fields that a body brings, by the names of the page; null: it is none of its forms. */
async function typedIn(request: Request): Promise<Fields | null> {
  const text = await request.text();
  if (text.length > LARGEST_BODY) return null;
  const kind = request.headers.get('content-type') ?? '';
  if (/^application\/json\b/.test(kind)) {
    try {
      const value: unknown = JSON.parse(text);
      return Object.fromEntries(Object.entries(value ?? {}).filter(([, one]) => typeof one === 'string')) as Fields;
    } catch {
      return null;
    }
  }
  const form = new URLSearchParams(text);
  const field = (name: string) => form.get(name) ?? '';
  return {
    number: field('cc-number'),
    expiry: field('cc-exp'),
    cvv: field('cc-csc'),
    name: field('cc-name'),
  };
}

/**
 * Answers a request to the bank's page.
 * @param isShop whether this is the origin of a merchant
 */
export async function answerFields(
  request: Request,
  { db, isShop }: { readonly db: Db; isShop(origin: string): boolean },
): Promise<Response> {
  const { pathname, searchParams } = new URL(request.url);
  const path = trimmedEnd(pathname, /\//);
  if (path === '/card-fields/fields.js' && request.method === 'GET')
    return new Response(await script, {
      headers: {
        'content-type': 'text/javascript; charset=utf-8',
        'cache-control': 'no-cache',
        'x-content-type-options': 'nosniff',
      },
    });
  const asked = askedIn(searchParams, isShop);
  if (asked === null) return notHere();
  return await inLanguage(asked.language, async () => {
    if (request.method === 'GET' && path === '/card-fields') return page(asked);
    if (request.method !== 'POST') return notHere();
    const typed = await typedIn(request);
    if (typed === null) return notHere();
    // Another site's page cannot send this media type.
    if (path === '/card-fields/token') {
      if (!/^application\/json\b/.test(request.headers.get('content-type') ?? '')) return notHere();
      const done = await exchanged(db, asked, typed);
      return json('token' in done ? 200 : 422, done);
    }
    if (path !== '/card-fields' || asked.returnUrl === null) return notHere();
    const done = await exchanged(db, asked, typed);
    if ('problems' in done) return page(asked, typed, done.problems);
    const { returnUrl } = asked;
    // Behind the #: it comes into no log on the way.
    const location = `${returnUrl}${returnUrl.includes('#') ? '&' : '#'}card=${done.token}`;
    return new Response(null, { status: 303, headers: { location, 'cache-control': 'no-store' } });
  });
}
