import { expect, test } from 'vitest';
import type { ExportRow } from '../../src/contract/history.ts';
import type { OrderView } from '../../src/contract/orders.ts';
import { money } from '../../src/contract/price.ts';
import { cardOf, tableOf } from '../../src/domain/history.ts';

const order = (more: object = {}) =>
  ({
    orderId: 'o1',
    orderNumber: '17',
    store: { id: 's', name: 'Store', locality: 'Here', phone: '1' },
    address: { type: 'HOME', label: 'Home', houseNo: '1', address: 'Street', lat: 1 },
    lines: [{ lineId: 'l', product: { id: 'p' }, quantity: 2, lineTotal: 5 }],
    bill: { currencyCode: 'INR', total: 500, lines: [] },
    steps: [
      { state: 'done', label: 'Placed' },
      { state: 'current', label: 'Baking' },
      { state: 'todo', label: 'On its way' },
    ],
    eta: { from: 1, to: 2, promisedAt: 3 },
    ...more,
  }) as unknown as OrderView;

test("a list's card of an order has the words of the step it is at, when it is expected and where it goes, and no more", () => {
  const card = cardOf(order());
  expect(card).toMatchObject({ step: 'Baking', eta: { from: 1, to: 2 }, total: 500, isGroup: false });
  expect([
    Object.keys(card.eta!),
    Object.keys(card.store),
    Object.keys(card.address!),
    Object.keys(card.lines[0]!),
  ]).toEqual([
    ['from', 'to'],
    ['id', 'name', 'locality'],
    ['type', 'label', 'houseNo', 'address'],
    ['lineId', 'product', 'quantity', 'size', 'crust', 'build', 'slots'],
  ]);
  const over = cardOf(order({ steps: [{ state: 'done', label: 'Delivered' }], eta: null, address: null, group: {} }));
  expect([over.step, over.eta, over.address, over.isGroup]).toEqual([undefined, null, null, true]);
});

test('the table of orders quotes what people typed, and no spreadsheet takes it for a formula [HIST-X03]', () => {
  const row = {
    placedAt: 1,
    orderNumber: '=1+1',
    orderType: 'DELIVERY',
    store: 'The "Corner", Mumbai',
    address: '-1 Street',
    dishes: [
      { name: 'Corn', quantity: 2 },
      { name: 'Cola = cold', quantity: 1 },
    ],
    savings: money(50),
    total: money(123_45),
    payment: '@home',
  } as unknown as ExportRow;
  const words = {
    head: ['When', '+No'],
    when: (at: number) => `day ${at}`,
    service: () => 'Delivery',
    status: () => '\tdone',
  };
  expect(tableOf([row, row], words, 'INR').split('\r\n')).toEqual([
    `"When","'+No"`,
    ...[1, 2].map(
      () =>
        `"day 1","'=1+1","'\tdone","Delivery","The ""Corner"", Mumbai","'-1 Street","2 x Corn; 1 x Cola = cold",0.50,123.45,INR,"'@home"`,
    ),
  ]);
});
