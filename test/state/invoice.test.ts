import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import * as errors from '#text/errors.ts';
import * as t from '#text/history.ts';
import { Failure } from '../../src/api/failure.ts';
import type { OrderView } from '../../src/contract/orders.ts';
import { apiAtom, profileAtom } from '../../src/state/first/seams.ts';
import { toastAtom } from '../../src/state/first/toast.ts';
import { downloadInvoiceAtom, invoiceAtom } from '../../src/state/orders/invoice.ts';
import { popupAtom } from '../../src/state/base/popup.ts';
import { startServer, type TestServer } from '../kit/server.ts';
import { openShop, pay, visitor } from '../server/shop.ts';
import { openCustomer, type Customer } from './customer.ts';

let server: TestServer;
/** An order that was handed over, and who has placed it. */
let order: OrderView;
let reply: Awaited<ReturnType<typeof visitor>>['person']['reply'];
beforeAll(async () => {
  server = await startServer({ settings: { distDir: null } });
  await openShop(server);
  const who = await visitor(server);
  await who.fill();
  const placed = await who.order();
  await pay(server, placed.next);
  await who.confirm(placed.order);
  await server.advance(5_400);
  order = await who.read(placed.order.orderId);
  ({ reply } = who.person);
});
afterAll(() => server.stop());

/** Files that were given to the browser. */
const files: { download: string; href: string }[] = [];
beforeEach(() => {
  files.length = 0;
  const createElement = () => {
    const link = { download: '', href: '', hidden: false, click: () => void files.push({ ...link }), remove: () => {} };
    return link;
  };
  vi.stubGlobal('document', { createElement, body: { append: () => {} } });
  vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:file');
  vi.spyOn(URL, 'revokeObjectURL').mockReturnValue();
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});
const opened = () => openCustomer(server, { as: reply });
const stateOf = (customer: Customer, one: Pick<OrderView, 'orderId' | 'orderStatus'> = order) =>
  customer.get(invoiceAtom)(one);
/** From now on the file comes to this. */
function failsWith(customer: Customer, thrown: unknown): () => void {
  const api = customer.get(apiAtom);
  customer.set(apiAtom, { ...api, download: () => Promise.reject(thrown) });
  return () => customer.set(apiAtom, api);
}

test('there is an invoice of what was handed over, where the page can give a file', () => {
  const customer = opened();
  expect(stateOf(customer)).toEqual({ isOffered: true, isBusy: false, refusal: '' });
  expect(stateOf(customer, { ...order, orderStatus: 'ORDER PLACED' }).isOffered).toBe(false);
  customer.set(profileAtom, { ...customer.get(profileAtom), fullMode: false });
  expect(stateOf(customer).isOffered).toBe(false);
});

test('it is given to the browser under its number, one at a time, and said', async () => {
  const customer = opened();
  const downloading = customer.set(downloadInvoiceAtom, order);
  const other = { ...order, orderId: 'other' };
  expect([stateOf(customer).isBusy, stateOf(customer, other).isBusy]).toEqual([true, false]);
  expect([await customer.set(downloadInvoiceAtom, other), await downloading]).toEqual([false, true]);
  expect(files).toEqual([
    expect.objectContaining({ download: t.invoiceFile({ number: order.orderNumber }), href: 'blob:file' }),
  ]);
  expect([stateOf(customer), customer.get(toastAtom)?.message, customer.get(popupAtom)]).toEqual([
    { isOffered: true, isBusy: false, refusal: '' },
    errors.invoiceDownloaded,
    null,
  ]);
});

test("why an order has none is said in the server's words and stays at this order, until it is tried again", async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  const customer = opened();
  // Of several reasons the first is said.
  const list = [
    { code: 'INVOICE', displayMsg: 'It is not ready yet.' },
    { code: 'OTHER', displayMsg: 'Something else is missing, too.' },
  ];
  const back = failsWith(customer, new Failure('refused', { httpStatus: 400, errors: list }));
  expect(await customer.set(downloadInvoiceAtom, order)).toBe(false);
  expect([stateOf(customer).refusal, stateOf(customer, { ...order, orderId: 'other' }).refusal]).toEqual([
    'It is not ready yet.',
    '',
  ]);
  expect([customer.get(toastAtom)?.message, customer.get(popupAtom), files]).toEqual([
    'It is not ready yet.',
    null,
    [],
  ]);
  back();
  const again = customer.set(downloadInvoiceAtom, order);
  expect(stateOf(customer).refusal).toBe('');
  expect([await again, stateOf(customer).refusal, files.length]).toEqual([true, '', 1]);
});

test.each([
  ['the network is lost', new Failure('offline')],
  ['the server is broken', new Failure('refused', { httpStatus: 500, errors: [{ code: 'X', displayMsg: 'Broken' }] })],
  ['nothing is said of why', new Failure('refused', { httpStatus: 400, errors: [] })],
  ['the page itself fails', Object.assign(new Error('no'), { httpStatus: 400, errors: [{ displayMsg: 'No' }] })],
])('where %s, the popup says that something is wrong with us, and one can try again', async (_what, thrown) => {
  const customer = opened();
  failsWith(customer, thrown);
  expect(await customer.set(downloadInvoiceAtom, order)).toBe(false);
  expect(customer.get(popupAtom)).toEqual({
    header: errors.oops,
    message: errors.internalServerError,
    right: { label: errors.ok },
  });
  expect([stateOf(customer), customer.get(toastAtom), files]).toEqual([
    { isOffered: true, isBusy: false, refusal: '' },
    null,
    [],
  ]);
});
