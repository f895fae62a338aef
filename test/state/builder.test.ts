import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { Failure } from '../../src/api/failure.ts';
import type { Build } from '../../src/contract/cart.ts';
import * as contract from '../../src/contract/menu.ts';
import {
  askJainAtom,
  buildOf,
  chooseCheeseAtom,
  chooseCrustAtom,
  chooseHalfAtom,
  chooseSauceAtom,
  chooseSizeAtom,
  draftAtom,
  effectAtom,
  either,
  finishDraftAtom,
  isJainAskedAtom,
  noteFrom,
  noteOf,
  noteParts,
  openBuilderAtom,
  openMissedAtom,
  resetDraftAtom,
  roomFor,
  setQuantityOfDraftAtom,
  setToppingAtom,
  spreadAtom,
  workedAtom,
  writeNoteAtom,
} from '../../src/state/cart/builder.ts';
import { syncCartAtom } from '../../src/state/cart/cart.ts';
import { addLineAtom, cartLinesAtom } from '../../src/state/first/cart.ts';
import { refreshMenuAtom } from '../../src/state/menu/menu.ts';
import { isBuilderHereAtom } from '../../src/state/menu/priceList.ts';
import { startServer, type TestServer } from '../kit/server.ts';
import { openShop } from '../server/shop.ts';
import { fails, openAtStore, openCustomer, type Customer } from './customer.ts';

let server: TestServer;
let customer: Customer;
beforeAll(async () => {
  server = await startServer({ settings: { distDir: null } });
  await openShop(server);
});
afterAll(() => server.stop());
beforeEach(async () => {
  customer = await openAtStore(server);
});

const open = (productId: string, query = '', whose = customer) =>
  whose.set(openBuilderAtom, { params: { productId }, query: new URLSearchParams(query) });
const draft = () => customer.get(draftAtom)!;
const built = () => buildOf(draft());
/** What the last tap has said, and the difference in rupees. */
const said = () => {
  const { text, difference, isRefused } = customer.get(effectAtom)!;
  return [text, difference === null ? null : difference / 100, ...(isRefused ? ['refused'] : [])];
};
/** The lines that the customer has put there: the shop may add a gift. */
const own = () => customer.get(cartLinesAtom).filter(({ priced }) => !priced?.free);
const lines = () => own().map(({ quantity, input: { lineId: _, ...input } }) => [quantity, input]);

test('a dish opens as its recipe has it, in its smallest size or the one of the link, with the second half of the link', async () => {
  await open('PZ004');
  expect(draft()).toEqual({
    productId: 'PZ004',
    size: 'R',
    crust: undefined,
    sauce: null,
    cheese: 'normal',
    wishes: [],
    secondHalf: null,
    note: '',
    quantity: 1,
    lineId: null,
    piece: null,
  });
  expect([built(), customer.get(workedAtom)?.price, customer.get(effectAtom)]).toEqual([undefined, 19_900, null]);
  await open('PZ004', 'size=L&half=PZ013');
  expect(draft()).toMatchObject({ size: 'L', secondHalf: 'PZ013' });
  // The dearer half is paid.
  expect(customer.get(workedAtom)?.price).toBe(61_900);
  await open('PZ004', 'size=ONE&half=NONE');
  expect(draft()).toMatchObject({ size: 'R', secondHalf: null });
  await open('PZ999');
  expect([customer.get(draftAtom), customer.get(workedAtom), customer.get(spreadAtom).size]).toEqual([null, null, 0]);
});

test('a dish that the menu has not yet opens when it has it, and what was named last alone', async () => {
  const late = openCustomer(server);
  await open('PZ004', 'size=M', late).catch(() => undefined);
  expect(late.get(draftAtom)).toBeNull();
  await late.set(openMissedAtom);
  expect(late.get(draftAtom)).toBeNull();
  await late.set(refreshMenuAtom);
  await late.set(openMissedAtom);
  expect(late.get(draftAtom)).toMatchObject({ productId: 'PZ004', size: 'M' });
  // It is missed no more.
  late.set(draftAtom, null);
  await late.set(openMissedAtom);
  expect(late.get(draftAtom)).toBeNull();
});

test('without the price list a choice is taken and named as well as can be, and nothing is said of its price', async () => {
  fails(customer, contract.toppings, new Failure('offline'));
  await open('PZ004');
  expect(customer.get(isBuilderHereAtom)).toBe(false);
  customer.set(chooseSizeAtom, 'M');
  expect([draft().size, said(), customer.get(workedAtom)?.problem]).toEqual(['M', ['M', null], null]);
});

test('what cannot be priced as it was has no difference to be said of once it can', async () => {
  await open('PZ001', 'size=M');
  customer.set(draftAtom, { ...draft(), crust: 'no-such-crust' });
  expect(customer.get(workedAtom)).toMatchObject({ price: null, problem: expect.any(String) });
  customer.set(chooseCrustAtom, 'thin-crisp');
  expect(said()).toEqual(['Thin & Crisp', null]);
  // What was wrong before may stay wrong, and its price unknown.
  customer.set(draftAtom, { ...draft(), crust: 'no-such-crust' });
  customer.set(setQuantityOfDraftAtom, 2);
  customer.set(chooseCheeseAtom, 'none');
  expect(said()).toEqual(['No cheese', null]);
  expect(draft()).toMatchObject({ cheese: 'none', quantity: 2 });
});

test('each choice says what it is and what it costs', async () => {
  await open('PZ004');
  customer.set(chooseSizeAtom, 'M');
  expect(said()).toEqual(['Medium', 180]);
  customer.set(chooseCrustAtom, 'thin-crisp');
  expect(said()).toEqual(['Thin & Crisp', 49]);
  customer.set(chooseCheeseAtom, 'none');
  expect(said()).toEqual(['No cheese', 0]);
  customer.set(chooseCheeseAtom, 'extra');
  expect(said()[0]).toBe('extra cheese');
  expect(said()[1]).toBeGreaterThan(0);
  customer.set(chooseSauceAtom, { id: 'makhani', level: 'normal' });
  expect(said()).toEqual([expect.stringContaining('Makhani'), 0]);
  expect(built()).toEqual({ sauce: { id: 'makhani', level: 'normal' }, cheese: 'extra' });
  customer.set(chooseSauceAtom, null);
  expect(said()).toEqual(['The recipe’s own sauce', 0]);
  customer.set(chooseCheeseAtom, 'normal');
  expect(built()).toBeUndefined();
});

test('a topping goes where it is put, is kept as what differs from the recipe, and is told with its half', async () => {
  await open('PZ004', 'size=M');
  const put = (...args: [string, 'WHOLE' | 'LEFT' | 'RIGHT', 'none' | 'light' | 'normal' | 'extra']) => {
    customer.set(setToppingAtom, ...args);
    return [said()[0], draft().wishes, customer.get(spreadAtom).get(args[0])];
  };
  const wish = (half: string, amount: string, id = 'black-olive') => ({ id, half, amount });
  expect(put('black-olive', 'WHOLE', 'normal')).toEqual([
    'Black Olive',
    [wish('WHOLE', 'normal')],
    { left: 'normal', right: 'normal' },
  ]);
  const whole = said()[1];
  expect(put('black-olive', 'LEFT', 'light')).toEqual([
    'light Black Olive, left half',
    [wish('LEFT', 'light')],
    { left: 'light', right: 'none' },
  ]);
  expect(put('black-olive', 'RIGHT', 'extra')).toEqual([
    'extra Black Olive, right half',
    [wish('RIGHT', 'extra')],
    { left: 'none', right: 'extra' },
  ]);
  expect(put('black-olive', 'RIGHT', 'none').slice(0, 2)).toEqual(['No Black Olive', []]);
  expect(whole).toBeGreaterThan(0);
  // Of the recipe: off one half, off both, and back.
  expect(put('onion', 'LEFT', 'normal').slice(1)).toEqual([
    [wish('RIGHT', 'none', 'onion')],
    { left: 'normal', right: 'none' },
  ]);
  expect(put('onion', 'RIGHT', 'normal')[1]).toEqual([wish('LEFT', 'none', 'onion')]);
  expect(put('onion', 'WHOLE', 'none')[1]).toEqual([wish('WHOLE', 'none', 'onion')]);
  expect(put('onion', 'WHOLE', 'normal')[1]).toEqual([]);
  expect(put('onion', 'WHOLE', 'extra')[1]).toEqual([wish('WHOLE', 'extra', 'onion')]);
  // Another one leaves it as it was.
  expect(put('paneer', 'WHOLE', 'normal')[1]).toEqual([
    wish('WHOLE', 'extra', 'onion'),
    wish('WHOLE', 'normal', 'paneer'),
  ]);
});

test('what one of two halves has by its recipe is told apart from the other', async () => {
  await open('PZ004', 'size=M&half=PZ013');
  const put = (half: 'WHOLE' | 'LEFT' | 'RIGHT', amount: 'none' | 'normal') => {
    customer.set(setToppingAtom, 'sweet-corn', half, amount);
    return draft().wishes;
  };
  expect(customer.get(spreadAtom).get('sweet-corn')).toEqual({ left: 'none', right: 'normal' });
  expect(put('WHOLE', 'normal')).toEqual([{ id: 'sweet-corn', half: 'WHOLE', amount: 'normal' }]);
  expect(put('RIGHT', 'normal')).toEqual([]);
  expect(put('WHOLE', 'none')).toEqual([{ id: 'sweet-corn', half: 'WHOLE', amount: 'none' }]);
  expect(put('LEFT', 'normal')).toEqual([
    { id: 'sweet-corn', half: 'LEFT', amount: 'normal' },
    { id: 'sweet-corn', half: 'RIGHT', amount: 'none' },
  ]);
});

test('a size that a crust or two halves do not come in is taken without them, and says so', async () => {
  await open('PZ004', 'size=M');
  customer.set(chooseCrustAtom, 'multigrain');
  customer.set(chooseSizeAtom, 'L');
  expect(said()).toEqual(['Large: does not come with Multigrain Thin', 569 - 379 - 59]);
  expect(draft().crust).toBeUndefined();
  customer.set(chooseSizeAtom, 'M');
  customer.set(chooseCrustAtom, 'thin-crisp');
  customer.set(chooseHalfAtom, 'PZ013');
  expect(said()[0]).toBe('Half Spinach Corn Cream');
  customer.set(chooseSizeAtom, 'L');
  expect([said()[0], draft().crust, draft().secondHalf]).toEqual(['Large', 'thin-crisp', 'PZ013']);
  customer.set(chooseSizeAtom, 'R');
  expect(said()[0]).toMatch(/^Regular: does not come with Thin & Crisp or [Hh]alf/);
  expect(draft()).toMatchObject({ size: 'R', crust: undefined, secondHalf: null });
  // A second half where there is none takes the smallest size that has halves.
  customer.set(chooseHalfAtom, 'PZ013');
  expect([said()[0], draft().size]).toEqual(['Half Spinach Corn Cream, medium', 'M']);
  customer.set(chooseHalfAtom, null);
  expect([said()[0], draft().size, draft().secondHalf]).toEqual(['One recipe', 'M', null]);
  expect([either(['a']), either(['a', 'b']), either(['a', 'b', 'c']), either([])]).toEqual([
    'a',
    'a or b',
    'a or b or c',
    '',
  ]);
});

test('one topping too many is refused with the reason; a smaller size is taken, and says what is wrong until it is mended', async () => {
  await open('PZ001', 'size=M');
  const more = ['black-olive', 'jalapeno', 'red-paprika', 'pineapple', 'paneer', 'capsicum', 'sweet-corn'];
  for (const id of more) customer.set(setToppingAtom, id, 'WHOLE', 'normal');
  expect(customer.get(workedAtom)?.tally).toEqual({ used: 7, limit: 7 });
  expect(customer.get(workedAtom)?.problem).toBeNull();
  const before = draft();
  customer.set(setToppingAtom, 'onion', 'WHOLE', 'normal');
  expect(said()).toEqual([expect.stringMatching(/^A medium pizza holds at most 7 extra/), null, 'refused']);
  expect(draft()).toBe(before);
  customer.set(chooseSizeAtom, 'R');
  expect([said()[0], draft().size]).toEqual(['Regular', 'R']);
  expect(customer.get(workedAtom)?.problem).toMatch(/^A regular pizza holds at most 5 extra/);
  expect(customer.set(finishDraftAtom)).toBe(false);
  expect(said()).toEqual([expect.stringMatching(/^A regular pizza/), null, 'refused']);
  expect(lines()).toEqual([]);
  // Taking one off is a way out, also while it is still too many.
  customer.set(setToppingAtom, 'paneer', 'WHOLE', 'none');
  expect(said()[0]).toBe('No Paneer Cubes');
  customer.set(setToppingAtom, 'jalapeno', 'WHOLE', 'none');
  expect(customer.get(workedAtom)?.problem).toBeNull();
});

test('a Jain version leaves out what such a kitchen does not use, on both halves, and comes back as it was', async () => {
  await open('PZ004', 'size=M&half=PZ008');
  expect(customer.get(isJainAskedAtom)).toBe(false);
  customer.set(setToppingAtom, 'paneer-tikka', 'WHOLE', 'normal');
  customer.set(setToppingAtom, 'tomato', 'WHOLE', 'none');
  customer.set(askJainAtom, true);
  expect([customer.get(isJainAskedAtom), draft().sauce]).toEqual([true, { id: 'jain-tomato', level: 'normal' }]);
  const left = [...customer.get(spreadAtom)].filter(([, on]) => on.left !== 'none' || on.right !== 'none');
  expect(left.map(([id]) => id).filter((id) => ['onion', 'mushroom', 'paneer-tikka'].includes(id))).toEqual([]);
  expect(left.map(([id]) => id)).toContain('capsicum');
  customer.set(askJainAtom, false);
  expect([said()[0], customer.get(isJainAskedAtom), draft().sauce]).toEqual(['Not Jain', false, null]);
  // What was taken off for another reason stays off.
  expect(draft().wishes).toEqual([{ id: 'tomato', half: 'WHOLE', amount: 'none' }]);
  expect(customer.get(spreadAtom).get('onion')).toEqual({ left: 'normal', right: expect.any(String) as string });
  customer.set(chooseSauceAtom, { id: 'makhani', level: 'normal' });
  expect(customer.get(isJainAskedAtom)).toBe(false);
});

test('back to the recipe keeps the size, how many and which line, and nothing else', async () => {
  await open('PZ004', 'size=M&half=PZ013');
  customer.set(chooseCheeseAtom, 'extra');
  customer.set(setQuantityOfDraftAtom, 3);
  customer.set(writeNoteAtom, 'well done');
  customer.set(draftAtom, (now) => now && { ...now, lineId: 'line-1', piece: 2 });
  customer.set(resetDraftAtom);
  expect(said()[0]).toBe('As on the menu');
  expect(draft()).toMatchObject({ size: 'M', quantity: 3, lineId: 'line-1', piece: 2, cheese: 'normal', note: '' });
  expect(built()).toBeUndefined();
});

test('what was built goes into the cart with its crust and note, and a changed line takes nothing of the old one along', async () => {
  await open('PZ004', 'size=M');
  customer.set(chooseCrustAtom, 'thin-crisp');
  customer.set(setToppingAtom, 'black-olive', 'LEFT', 'extra');
  customer.set(writeNoteAtom, { notes: ['Well done'], text: ' no rush ' });
  customer.set(setQuantityOfDraftAtom, 2);
  const build: Build = { toppings: [{ id: 'black-olive', half: 'LEFT', amount: 'extra' }] };
  expect(customer.set(finishDraftAtom)).toBe(true);
  await customer.set(syncCartAtom);
  const dish = { productId: 'PZ004', size: 'M', crust: 'thin-crisp' };
  expect(lines()).toMatchObject([[2, { ...dish, build, note: 'Well done, no rush' }]]);

  const [line] = own();
  await open('PZ004', `line=${line!.lineId}`);
  expect(draft()).toMatchObject({
    size: 'M',
    crust: 'thin-crisp',
    wishes: build.toppings,
    quantity: 2,
    lineId: line!.lineId,
    note: 'Well done, no rush',
  });
  customer.set(resetDraftAtom);
  customer.set(setQuantityOfDraftAtom, 1);
  expect(customer.set(finishDraftAtom)).toBe(true);
  await customer.set(syncCartAtom);
  expect(own().map(({ lineId }) => lineId)).toEqual([line!.lineId]);
  const [[quantity, input]] = lines() as [[number, { crust?: string; build?: Build; note?: string }]];
  expect([quantity, input.crust, input.build?.toppings ?? [], input.note ?? '']).toEqual([1, 'hand-tossed', [], '']);
});

test('a dish of one size has none in the cart, and nothing that is not built goes there', async () => {
  expect(customer.set(finishDraftAtom)).toBe(false);
  await open('SD005');
  expect(draft().size).toBe('ONE');
  expect(customer.set(finishDraftAtom)).toBe(true);
  expect(lines()).toEqual([[1, { productId: 'SD005', quantity: 1 }]]);
});

test('a line is opened with everything that it was built of, and in the words of its kitchen', async () => {
  const build: Build = {
    sauce: { id: 'makhani', level: 'extra' },
    cheese: 'light',
    toppings: [{ id: 'onion', half: 'WHOLE', amount: 'none' }],
    secondHalf: 'PZ013',
  };
  const lineId = customer.set(addLineAtom, { productId: 'PZ004', size: 'L', crust: 'thin-crisp', build, quantity: 4 });
  await open('PZ004', `line=${lineId}`);
  expect(draft()).toMatchObject({ size: 'L', crust: 'thin-crisp', quantity: 4, lineId, note: '' });
  expect(built()).toEqual(build);
  expect(customer.get(isBuilderHereAtom)).toBe(true);
});

test('a note is one text until the ready ones are known, and then in its parts; both say the same to the kitchen', () => {
  const ready = ['Less spicy', 'Well done'];
  const note = 'Well done, no rush, Less spicy, please';
  expect(noteParts(note, [])).toEqual({ notes: [], text: note });
  const parts = { notes: ['Well done', 'Less spicy'], text: 'no rush, please' };
  expect([noteParts(note, ready), noteParts(parts, [])]).toEqual([parts, parts]);
  expect(noteParts('', ready)).toEqual({ notes: [], text: '' });
  expect([noteFrom(parts, ready), noteFrom(parts, [])]).toEqual([parts, 'no rush, please']);
  expect([noteOf(note), noteOf(parts), noteOf({ notes: [], text: ' ' })]).toEqual([
    note,
    'Well done, Less spicy, no rush, please',
    '',
  ]);
  const all = roomFor([]);
  expect([roomFor(['1234567890']), roomFor(['x'.repeat(all)]), roomFor(['x'.repeat(all - 2)])]).toEqual([
    all - 12,
    0,
    0,
  ]);
});
