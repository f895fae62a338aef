// The script of the imitated bank's fields for a card, in a frame of the shop's page: what ../providers/CARD_FIELDS.md
// says, and no more. Browsers get this file as it is.
'use strict';
const form = document.forms[0];
/** The shop's origin, as the bank knows it: nobody else is spoken with. */
const shop = document.body.dataset.origin;
const tell = (message) => parent.postMessage(message, shop);

/** The digits of a text as 0-9, whatever their script. In Unicode, ten digits begin at a code point that ends in 0 or 6. */
function digitsOf(text) {
  const isDigit = (code) => /\p{Nd}/u.test(String.fromCodePoint(code));
  return [...text.normalize('NFKC')]
    .map((char) => char.codePointAt(0))
    .filter(isDigit)
    .map((code) => (code - (isDigit(code - (code % 16)) ? code - (code % 16) : code - (code % 16) + 6)) % 10)
    .join('');
}
const WRITTEN = {
  number: (digits) => digits.slice(0, 19).replace(/(.{4})(?=.)/g, '$1 '),
  expiry: (digits) => (digits.length > 2 ? `${digits.slice(0, 2)}/${digits.slice(2, 4)}` : digits),
  cvv: (digits) => digits.slice(0, 4),
};

let first = '';
form.addEventListener('input', ({ target }) => {
  const write = WRITTEN[target.id];
  // In the middle of the text somebody corrects it: the caret must not jump.
  if (write && target.selectionStart === target.value.length) target.value = write(digitsOf(target.value));
  if (target.id !== 'number') return;
  // So many digits say which bank gave the card, and the shop may know them: its offers go by them.
  const digits = digitsOf(target.value).slice(0, 6);
  const told = digits.length === 6 ? digits : '';
  if (told !== first) tell({ type: 'card:first', digits: told });
  first = told;
});

/** The first field that is wrong gets the focus, and is read out with what is wrong. */
const focus = () => form.querySelector('[aria-invalid="true"]')?.focus();

/** Shows what is wrong at its field. */
function show(problems) {
  const inputs = [...form.querySelectorAll('input')];
  for (const input of inputs) {
    const problem = problems.find(({ field }) => field === input.id);
    if (problem) input.setAttribute('aria-invalid', 'true');
    else input.removeAttribute('aria-invalid');
    document.getElementById(`${input.id}-error`).textContent = problem ? problem.displayMsg : '';
  }
  focus();
}

async function submit(id) {
  try {
    const response = await fetch(`/card-fields/token${location.search}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(Object.fromEntries([...form.querySelectorAll('input')].map(({ id, value }) => [id, value]))),
    });
    const { token, problems } = await response.json();
    show(problems ?? []);
    tell(token ? { type: 'card:token', id, token } : { type: 'card:refused', id });
  } catch {
    tell({ type: 'card:failed', id });
  }
}

/** Only colours and lengths: nothing that loads, and nothing that hides a field. */
function dress(style) {
  for (const [name, value] of Object.entries(style ?? {}))
    if (
      /^(?:ink|soft|card|edge|focus|wrong|radius)$/.test(name) &&
      typeof value === 'string' &&
      CSS.supports(name === 'radius' ? 'border-radius' : 'color', value)
    )
      document.documentElement.style.setProperty(`--${name}`, value);
}

addEventListener('message', ({ source, origin, data }) => {
  if (source !== parent || origin !== shop || typeof data !== 'object' || data === null) return;
  if (data.type === 'card:style') dress(data.style);
  if (data.type === 'card:focus') focus();
  if (data.type === 'card:submit') void submit(data.id);
});
form.addEventListener('submit', (event) => {
  event.preventDefault();
  tell({ type: 'card:enter' });
});
new ResizeObserver(() => tell({ type: 'card:size', height: document.body.scrollHeight })).observe(form);
tell({ type: 'card:ready' });
