import * as t from '#text/chat.ts';
import * as historyText from '#text/history.ts';
import * as orderText from '#text/order.ts';
import * as orders from '../../contract/orders.ts';
import type { OrderView } from '../../contract/orders.ts';
import * as tracking from '../../contract/tracking.ts';
import * as history from '../../contract/history.ts';
import * as help from '../../contract/help.ts';
import { isFinal, isHandedOver, isLost } from '../../domain/orders.ts';
import { typedText } from '../../domain/typedText.ts';
import { addressLine } from '../../state/places/addresses.ts';
import type { ChatAnswer, ChatChoice } from '../../state/menu/chat.ts';
import { countryAtom } from '../../state/base/country.ts';
import { cartLinesAtom } from '../../state/first/cart.ts';
import { newId } from '../../state/first/lib/ids.ts';
import { apiAtom } from '../../state/first/seams.ts';
import { downloadInvoiceAtom, invoiceAtom } from '../../state/orders/invoice.ts';
import { putOrderAtom } from '../../state/orders/orders.ts';
import { reorderAtom } from '../../state/after/reorder.ts';
import { awaited, cancelText, expectedText, moneySentence, stageText } from '../base/words.ts';
import {
  choicesOf,
  clockOf,
  isNamed,
  isUnderWay,
  knownOrders,
  moneyOf,
  orderOf,
  said,
  withOrder,
  type Answerer,
  type Desk,
} from './desk.ts';

const see = ({ orderId, orderType, orderStatus, train }: OrderView): ChatChoice =>
  orderType === 'DELIVERY' &&
  !train &&
  !isFinal(orderStatus) &&
  orderStatus !== 'ADVANCE ORDER' &&
  orderStatus !== 'PENDING'
    ? { label: t.seeTrack, path: `/track/${orderId}` }
    : { label: t.seeOrder, path: `/order/${orderId}` };
const person = (): ChatChoice => ({ label: t.askPerson, act: { do: 'person' } });

/** How far it is and when it is there, as its own page says it. */
const where: Answerer = (desk) =>
  withOrder(desk, { fits: isUnderWay, none: () => said([t.noOrder]) }, (order) => whereIs(desk, order));
function whereIs(desk: Desk, order: OrderView): ChatAnswer {
  const clock = clockOf(desk);
  const { orderNumber, orderId, eta, cancel } = order;
  const isOver = isFinal(order.orderStatus);
  const at = [...order.steps].reverse().find((step) => step.at !== null)?.at;
  const day = eta && !clock.isToday(eta.from) ? eta.from : null;
  return said(
    [
      t.orderIs({ number: orderNumber, stage: stageText(order) }),
      !isOver && eta ? t.expected({ what: awaited(order), when: expectedText(eta, clock, day) }) : '',
      !isOver && eta ? (eta.moved ?? '') : '',
      ...(isOver ? [] : trainLines(desk, order)),
      isOver && at ? t.overAt({ time: clock.moment(at) }) : '',
      isHandedOver(order.orderStatus) ? '' : moneySentence(order),
    ],
    [
      see(order),
      ...(cancel.possible ? [{ label: t.cancelThis, act: { do: 'cancel', orderId } }] : []),
      { label: t.askWrong, act: { do: 'issues', orderId } },
    ],
  );
}
/** Where and when it meets its train, how late that is, and what is asked about it. */
function trainLines(desk: Desk, { train }: OrderView): string[] {
  if (!train) return [];
  const { station, question, news } = train;
  const { name, platform, delayMinutes: late } = station;
  const when = clockOf(desk).moment(station.arrivesAt);
  return [
    platform === null ? t.trainAt({ name, when }) : t.trainAtPlatform({ name, when, platform }),
    late > 0 ? t.trainLate({ number: train.train.number, late }) : '',
    question ? `${question.text} ${question.otherwise}` : (news[0]?.text ?? ''),
  ];
}
/** The order that is under way, or else the last one. */
const whereOrLast: Answerer = async (desk) => {
  const hasOne = desk.act.orderId !== undefined || (await knownOrders(desk)).some(isUnderWay);
  if (hasOne) return await where(desk);
  return await withOrder(desk, { fits: () => true, none: () => said([t.noOrder]), newest: true }, (order) =>
    whereIs(desk, order),
  );
};

const code: Answerer = (desk) =>
  withOrder(desk, { fits: isUnderWay, none: () => said([t.noOrder]) }, (order) => {
    const codeIs = order.train?.handOverCode ?? order.handOverCode;
    return said(
      [
        codeIs && !isFinal(order.orderStatus)
          ? t.code({ number: order.orderNumber, code: codeIs })
          : t.codeNone({ number: order.orderNumber }),
      ],
      [see(order)],
    );
  });

/** What is lost by it is said before anything is done. */
const cancel: Answerer = (desk) =>
  withOrder(desk, { fits: isUnderWay, none: () => said([t.cancelNone], [person()]) }, (order) => {
    const { orderId, orderNumber: number } = order;
    if (isFinal(order.orderStatus)) return said([t.cancelOver({ number, stage: stageText(order) })], [see(order)]);
    if (!order.cancel.possible) return said([t.cancelClosed({ number }), order.cancel.rule], [person(), see(order)]);
    return said(
      [t.cancelAsk({ number }), cancelText(order, desk.get(countryAtom)), order.cancel.rule],
      [
        { label: t.cancelDo({ number }), act: { do: 'cancelNow', orderId, key: newId() }, is: 'yes' },
        { label: t.cancelNot, act: { do: 'no' }, is: 'no' },
      ],
    );
  });

/** Cancels. @throws Failure where the rule does not allow it any more */
async function cancelled({ get, set, act }: Desk): Promise<OrderView> {
  const { order } = await get(apiAtom).call(
    orders.cancel,
    { orderId: act.orderId ?? '' },
    { idempotencyKey: act.key ?? newId() },
  );
  set(putOrderAtom, order);
  return order;
}
function backAt(desk: Desk, { refund, orderNumber, payment }: OrderView): string {
  if (!refund) return '';
  const { date } = clockOf(desk);
  const [amount, number] = [moneyOf(desk, refund.amount), orderNumber];
  return refund.paidAt === null
    ? t.refundComes({
        amount,
        number,
        label: payment.label,
        from: date(refund.expectedFrom),
        to: date(refund.expectedTo),
      })
    : t.refundDone({ amount, number, label: payment.label, date: date(refund.paidAt) });
}
const cancelNow: Answerer = async (desk) => {
  const order = await cancelled(desk);
  return said(
    [t.cancelled({ number: order.orderNumber }), backAt(desk, order) || moneySentence(order)],
    [see(order), { label: t.askMore, act: { do: 'able' } }],
  );
};

/** An order that is placed is not changed; while it can be cancelled, it is ordered anew. */
function anew({ orderId, cancel }: OrderView): { lines: string[]; choices: ChatChoice[] } {
  return cancel.possible
    ? { lines: [t.anew], choices: [{ label: t.anewDo, act: { do: 'anew', orderId } }] }
    : { lines: [cancel.rule], choices: [] };
}
/** Who has dishes in the cart may mean those: it is asked back, and nothing of the cart is touched. */
const anewAsk: Answerer = async (desk) => {
  const lines = desk.get(cartLinesAtom);
  if (desk.act.orderId !== undefined || lines.length === 0) return await anewOrder(desk);
  const underWay = (await knownOrders(desk)).filter(isUnderWay);
  if (underWay.some((order) => isNamed(desk, order))) return await anewOrder(desk);
  const dishes = lines.map(({ quantity, name }) => historyText.dish({ quantity, dish: name })).join(', ');
  return said([t.cartHas({ dishes })], [{ label: t.toCart, path: '/cart' }, ...choicesOf(desk, underWay)]);
};
const anewOrder: Answerer = (desk) =>
  withOrder(desk, { fits: isUnderWay, none: () => said([t.cancelNone]) }, (order) =>
    said(
      [t.anewAsk({ number: order.orderNumber }), cancelText(order, desk.get(countryAtom))],
      [
        { label: t.anewDo, act: { do: 'anewNow', orderId: order.orderId, key: newId() }, is: 'yes' },
        { label: t.cancelNot, act: { do: 'no' }, is: 'no' },
      ],
    ),
  );
const anewNow: Answerer = async (desk) => {
  const order = await cancelled(desk);
  const isPutBack = await desk.set(reorderAtom, order.orderId, true);
  return said(
    [
      (isPutBack ? t.anewDone : t.cancelled)({ number: order.orderNumber }),
      backAt(desk, order) || moneySentence(order),
    ],
    [
      { label: t.toCart, path: '/cart' },
      { label: t.chooseAddress, path: '/address' },
    ],
  );
};

const address: Answerer = (desk) =>
  withOrder(
    desk,
    {
      fits: isUnderWay,
      none: () => said([t.addressNone], [{ label: t.chooseAddress, path: '/postorder-ui/myAddresses' }]),
    },
    (order) => {
      const { orderNumber: number, store } = order;
      if (!order.address) return said([t.addressNotBrought({ number, store: store.name })], [see(order)]);
      const { lines, choices } = anew(order);
      return said(
        [t.addressIs({ number, address: addressLine(order.address) }), t.addressNot, ...lines],
        [...choices, person(), see(order)],
      );
    },
  );

const note: Answerer = (desk) =>
  withOrder(desk, { fits: isUnderWay, none: () => said([t.noteNone]) }, (order) => {
    const { orderNumber: number, orderId, rider } = order;
    const now = order.note ? t.noteIs({ number, note: order.note }) : t.noteEmpty({ number });
    if (rider && rider.notesLeft > 0)
      return said([now, t.noteTell({ name: rider.name, number })], quickOnes(orderId), {
        asks: { do: 'noteSure', orderId },
      });
    if (rider) return said([now, t.noteFull], [see(order), person()]);
    if (isFinal(order.orderStatus) || isHandedOver(order.orderStatus))
      return said([now, t.noteNot], [person(), see(order)]);
    return said(
      [now, t.noteWhat],
      order.note ? [{ label: t.noteDrop, act: { do: 'notePut', orderId, text: '' } }, see(order)] : [see(order)],
      { asks: { do: 'notePut', orderId } },
    );
  });
const NOTE_MOST = 200;
/** A note is changed only after it was shown once more: it may have been meant as a question. */
const notePut: Answerer = async (desk) => {
  const { orderId = '', text = '' } = desk.act;
  const note = typedText(text);
  if (note.length > NOTE_MOST) return said([t.noteLong({ most: NOTE_MOST })], [], { asks: { do: 'notePut', orderId } });
  const { orderNumber: number } = await orderOf(desk, orderId);
  return said(
    [note === '' ? t.noteDropAsk({ number }) : t.noteAsk({ number, text: note })],
    [
      { label: t.noteChange, act: { do: 'notePutNow', orderId, text: note }, is: 'yes' },
      { label: t.issueNot, act: { do: 'no' }, is: 'no' },
    ],
  );
};
/** @throws Failure where the order has left the store meanwhile */
const notePutNow: Answerer = async ({ get, set, act }) => {
  const { orderId = '', text = '' } = act;
  const { order } = await get(apiAtom).call(orders.changeNote, { orderId, body: { note: text } });
  set(putOrderAtom, order);
  const { orderNumber: number, note: kept } = order;
  return said([kept ? t.noteChanged({ number, note: kept }) : t.noteDropped({ number })], [see(order)]);
};
const quickOnes = (orderId: string): ChatChoice[] =>
  [orderText.riderAtGate, orderText.riderComeUp, orderText.riderLeaveIt, orderText.riderCallMe].map((text) => ({
    label: text,
    act: { do: 'noteSure', orderId, text },
  }));
const MESSAGE_MOST = 120;
/** A message is sent only after it was shown once more: it may have been meant as a question. */
const noteSure: Answerer = async (desk) => {
  const { orderId = '', text = '' } = desk.act;
  if (text.length > MESSAGE_MOST)
    return said([t.noteLong({ most: MESSAGE_MOST })], [], { asks: { do: 'noteSure', orderId } });
  const { rider, orderNumber: number } = await orderOf(desk, orderId);
  if (!rider) return said([t.noteNot, t.noteEmpty({ number })], [person()]);
  return said(
    [t.noteSure({ name: rider.name, text })],
    [
      { label: t.noteSend, act: { do: 'noteNow', orderId, text, key: newId() }, is: 'yes' },
      { label: t.issueNot, act: { do: 'no' }, is: 'no' },
    ],
  );
};
const noteNow: Answerer = async ({ get, set, act }) => {
  const { orderId = '', text = '', key = newId() } = act;
  const { order } = await get(apiAtom).call(
    tracking.tellRider,
    { orderHistoryId: orderId, body: { text } },
    { idempotencyKey: key },
  );
  set(putOrderAtom, order);
  return said([t.noteSent({ name: order.rider?.name ?? orderText.wayRider, text })], [see(order)]);
};

const invoice: Answerer = (desk) =>
  withOrder(
    desk,
    {
      fits: ({ orderStatus }) => isHandedOver(orderStatus),
      none: () => said([t.invoiceNone]),
      newest: true,
    },
    async (order) => {
      const { orderNumber: number } = order;
      const other = { label: t.seeOrder, path: `/postorder-ui/orderdetails?orderId=${order.orderId}` };
      if (!isHandedOver(order.orderStatus)) return said([t.invoiceNotYet({ number })], [see(order)]);
      if (await desk.set(downloadInvoiceAtom, order)) return said([t.invoiceDone({ number })], [other]);
      return said([t.invoiceFailed({ number }), desk.get(invoiceAtom)(order).refusal], [other, person()]);
    },
  );

/** Everything that is on its way back, and what has come back of the order that is meant. */
const refund: Answerer = async (desk) => {
  const { get, act } = desk;
  const { call } = get(apiAtom);
  const { date } = clockOf(desk);
  const all = await knownOrders(desk);
  const named = all.filter(({ orderNumber }) => (act.text ?? '').match(/\d+/g)?.includes(orderNumber));
  const mayHave = (named.length > 0 ? named : all).filter(
    (order) => order.refund !== null || isLost(order.orderStatus) || isHandedOver(order.orderStatus),
  );
  const lines: string[] = [];
  const moneyLine = (
    number: string,
    of: { amount: Parameters<typeof moneyOf>[1]; label: string; paidAt: number | null; from?: number; to: number },
  ) => {
    const words = { amount: moneyOf(desk, of.amount), number, label: of.label };
    if (of.paidAt !== null) return t.refundDone({ ...words, date: date(of.paidAt) });
    return of.from === undefined
      ? t.refundBy({ ...words, date: date(of.to) })
      : t.refundComes({ ...words, from: date(of.from), to: date(of.to) });
  };
  for (const { orderId, orderNumber } of mayHave.slice(0, MOST_LOOKED_AT)) {
    const { refunds } = await call(history.record, { orderId, query: {} });
    for (const { amount, label, paidAt, expectedFrom, expectedTo } of refunds)
      lines.push(moneyLine(orderNumber, { amount, label, paidAt, from: expectedFrom, to: expectedTo }));
  }
  const { tickets } = await call(help.tickets, {});
  for (const { money, orderNumber, orderId } of tickets)
    if (money && money.way !== 'SOURCE' && mayHave.some((order) => order.orderId === orderId))
      lines.push(
        moneyLine(orderNumber, {
          amount: money.amount,
          label: money.label,
          paidAt: money.state === 'PAID' ? money.by : null,
          to: money.by,
        }),
      );
  return lines.length === 0
    ? said([t.refundNone], [{ label: t.askWrong, act: { do: 'issues' } }, person()])
    : said(lines, [{ label: t.askMore, act: { do: 'able' } }, person()]);
};
const MOST_LOOKED_AT = 4;

const again: Answerer = (desk) =>
  withOrder(
    desk,
    { fits: ({ orderStatus }) => isFinal(orderStatus), none: () => said([t.noOrder]), newest: true },
    async (order) => {
      const isPutBack = await desk.set(reorderAtom, order.orderId, true);
      return isPutBack
        ? said([t.againDone({ number: order.orderNumber })], [{ label: t.toCart, path: '/cart' }])
        : said([t.cannot], [see(order), person()]);
    },
  );

export const aboutOrders = {
  where: whereOrLast,
  code,
  cancel,
  cancelNow,
  anew: anewAsk,
  anewNow,
  address,
  note,
  noteSure,
  noteNow,
  notePut,
  notePutNow,
  invoice,
  refund,
  again,
} satisfies Record<string, Answerer>;
