import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  buildOf,
  chooseCheeseAtom,
  chooseCrustAtom,
  chooseHalfAtom,
  chooseSauceAtom,
  chooseSizeAtom,
  isJainAskedAtom,
  askJainAtom,
  draftAtom,
  effectAtom,
  either,
  openBuilderAtom,
  resetDraftAtom,
  setQuantityOfDraftAtom,
  setToppingAtom,
  spreadAtom,
  workedAtom,
  writeNoteAtom,
} from '../../src/state/cart/builder.ts';
import { buildPieceAtom, dealDraftAtom, keepPieceAtom, openDealAtom } from '../../src/state/cart/deals.ts';
import { startServer, type TestServer } from '../kit/server.ts';
import { openShop } from '../server/shop.ts';
import { openAtStore, type Customer } from './customer.ts';

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

test('a combo’s dish is built in the builder and goes back into its own place; without one nothing changes', async () => {
  expect(customer.set(keepPieceAtom)).toBe(false);
  await customer.set(openDealAtom, { params: { dealId: 'DL003' }, query: new URLSearchParams() });
  const before = customer.get(dealDraftAtom)!.pieces;
  customer.set(buildPieceAtom, before.length);
  expect([customer.get(draftAtom), customer.set(keepPieceAtom)]).toEqual([null, false]);

  customer.set(effectAtom, { text: 'of another dish', difference: null, isRefused: false });
  customer.set(buildPieceAtom, 1);
  // In the size in which the combo has it.
  expect(customer.get(draftAtom)).toMatchObject({ piece: 1, productId: before[1]!.productId, size: 'R' });
  expect(customer.get(effectAtom)).toBe(null);
  customer.set(chooseCheeseAtom, 'extra');
  expect(customer.set(keepPieceAtom)).toBe(true);
  expect(customer.get(draftAtom)).toBe(null);
  expect(customer.get(dealDraftAtom)!.pieces).toEqual([
    before[0],
    expect.objectContaining({ slot: before[1]!.slot, productId: before[1]!.productId, build: { cheese: 'extra' } }),
  ]);

  // As it was built, it is opened again.
  customer.set(buildPieceAtom, 1);
  expect(customer.get(draftAtom)).toMatchObject({ cheese: 'extra' });
  // A dish of its own is no place of a combo.
  customer.set(draftAtom, { ...customer.get(draftAtom)!, piece: null });
  expect(customer.set(keepPieceAtom)).toBe(false);
  expect(customer.get(draftAtom)).not.toBe(null);
});
