import { countryConfig } from '../../../../country/index.ts';
import type { PaymentMode } from '../../../contract/names.ts';
import type { TrainOrder, TrainQuestion, TrainState, TrainStep } from '../../../contract/trainOrder.ts';
import { money } from '../../../contract/price.ts';
import { localDay, timeText } from '../../../domain/hours.ts';
import { isFinal } from '../../../domain/orders.ts';
import { cancelUntil, stopMinutes, windowOf } from '../../../domain/trains.ts';
import { orders, railway as say, t, dayText, formatMoney } from '../../call/language.ts';
import { questionOf, stopsOf, type TrainNews, type TrainRow } from '../../store/trains.ts';
import type { OrderRow } from '../../store/orders.ts';
import { readTrainSeed } from '../../store/seeds.ts';

/** '6:30 PM', or with its day where it is not today: 'Tue, 24 Nov, 6:30 PM'. */
export function momentText(at: number, country: string, now: number): string {
  const style = countryConfig(country);
  const clock = timeText(at, style.timeZone, orders.clock);
  return localDay(at, style.timeZone) === localDay(now, style.timeZone) ? clock : `${dayText(at, style)}, ${clock}`;
}

const stationName = (country: string, code: string): string =>
  readTrainSeed(country)?.stations.find((station) => station.code === code)?.name ?? code;

function stateOf(row: TrainRow, order: OrderRow | null): TrainState {
  if (order === null) return 'SAVED';
  if (order.status === 'DELIVERED' || order.status === 'CANCELLED' || order.status === 'FAILED') return order.status;
  if (order.status === 'PENDING') return 'UNPAID';
  return row.question === null ? 'ORDERED' : 'ASKING';
}

/** What a train order can be cancelled until: two hours before the train, as it is expected now, or until it is begun. */
export function trainCancelRule(
  row: Pick<TrainRow, 'arrives_at'>,
  order: Pick<OrderRow, 'status'>,
  now: number,
): TrainOrder['cancel'] {
  if (isFinal(order.status)) return { possible: false, until: null, rule: t.cancelFinished };
  if (order.status === 'PENDING') return { possible: true, until: null, rule: t.cancelUnpaid };
  // A train may become hours late after the kitchen has begun.
  if (order.status !== 'ADVANCE ORDER' && order.status !== 'ORDER PLACED')
    return { possible: false, until: null, rule: say.cancelBegun };
  const until = cancelUntil(row.arrives_at);
  const possible = now < until;
  return { possible, until: possible ? until : null, rule: possible ? say.cancelUntil : say.cancelLate };
}

/** Whether there is money to give back: cash is paid at the coach. */
export const paidWord = (mode: PaymentMode | undefined): 'yes' | 'no' => (mode === 'COD' ? 'no' : 'yes');

function questionView(row: TrainRow, total: number, mode: PaymentMode, now: number): TrainQuestion | null {
  const open = questionOf(row);
  if (open === null || row.answer_by === null) return null;
  const { country } = row;
  const paid = paidWord(mode);
  const time = (at: number) => momentText(at, country, now);
  const station = stationName(country, row.station);
  const { delayMinutes: late } = stopMinutes(timesOf(row));
  return {
    kind: open.kind,
    text:
      open.kind === 'LATE'
        ? say.questionLate({ minutes: late, station, time: time(row.arrives_at) })
        : say.questionSkipped({ station }),
    otherwise: say.otherwise({ paid, time: time(row.answer_by) }),
    answerBy: row.answer_by,
    whyNot: (open.lacking ?? []).map(({ name, dishes }) =>
      say.questionLacking({ station: name, dishes: dishes.join(', ') }),
    ),
    choices: [
      ...(open.mayWait
        ? [
            {
              choice: 'TIME' as const,
              label: say.choiceTime,
              detail: say.choiceTimeDetail({ station, time: time(row.arrives_at) }),
              arrivesAt: row.arrives_at,
            },
          ]
        : []),
      ...open.others.map((other) => ({
        choice: 'STATION' as const,
        label: say.choiceStation({ station: other.name }),
        detail: say.choiceStationDetail({ time: time(other.arrivesAt) }),
        stationId: other.station,
        arrivesAt: other.arrivesAt,
      })),
      {
        choice: 'REFUND' as const,
        label: say.choiceRefund({ paid }),
        detail: say.choiceRefundDetail({ paid, amount: formatMoney(money(total), countryConfig(country)) }),
        ...(paid === 'yes' ? { amount: money(total) } : {}),
      },
    ],
  };
}

/** What is kept of something that was told; each kind needs some of it. */
export interface NewsDetails {
  readonly minutes?: number;
  readonly arrivesAt?: number;
  readonly platform?: string;
  readonly station?: string;
  readonly why?: 'CANCELLED' | 'SHORT' | 'SKIPPED' | 'SHUT' | 'CHOSEN' | 'SILENT' | 'UNKNOWN' | 'MISSED';
  readonly coach?: string;
  readonly berth?: string;
}

function newsText({ kind, details }: TrainNews, country: string, mode: PaymentMode | undefined, now: number): string {
  const of = JSON.parse(details) as NewsDetails;
  const time = momentText(of.arrivesAt ?? 0, country, now);
  switch (kind) {
    case 'LATE':
      return say.newsLate({ minutes: of.minutes ?? 0, time });
    case 'ON_TIME':
      return say.newsOnTime({ time });
    case 'PLATFORM':
      return say.newsPlatform({ platform: of.platform ?? '' });
    case 'ASKED':
      return say.newsAsked;
    case 'MOVED':
      return say.newsMoved({ station: stationName(country, of.station ?? ''), time });
    case 'AGREED':
      return say.newsAgreed({ time });
    case 'REFUNDED':
      return say.newsRefunded({ why: of.why ?? 'MISSED', paid: paidWord(mode) });
    case 'SEAT':
      return say.newsSeat({ coach: of.coach ?? '', berth: of.berth ?? '' });
  }
}

/** A step of the kitchen: when it was, or when it is expected. */
export interface KitchenStep {
  readonly id: string;
  readonly label: string;
  readonly at: number | null;
  readonly expectedAt: number | null;
}

/** Train and kitchen on one line: the stops up to the order's station among the steps of the order, by time. */
function timelineOf(row: TrainRow, order: OrderRow | null, kitchen: readonly KitchenStep[]): TrainStep[] {
  const stops = stopsOf(row);
  const until = stops.findIndex(({ code }) => code === row.station);
  const train = stops.slice(0, until + 1).filter(({ isMissed }) => !isMissed);
  const over = order !== null && isFinal(order.status);
  const entries = [
    ...train.map((stop) => ({
      id: `TRAIN ${stop.code}`,
      kind: 'TRAIN' as const,
      label: say.stepArrives({ station: stop.name }),
      at: stop.hasArrived ? stop.arrivesAt : null,
      expectedAt: stop.hasArrived ? null : stop.arrivesAt,
    })),
    ...kitchen.map((step) => ({
      ...step,
      kind: 'KITCHEN' as const,
      label: step.id === 'DELIVERED' ? say.stepHandOver : step.label,
    })),
  ]
    // What did not happen before the order was over will not happen.
    .filter((entry) => !over || entry.at !== null)
    .sort((a, b) => (a.at ?? a.expectedAt ?? 0) - (b.at ?? b.expectedAt ?? 0));
  const last = entries.findLastIndex(({ at }) => at !== null);
  return entries.map((entry, index) => ({
    ...entry,
    state: entry.at === null ? 'next' : index === last && !over ? 'current' : 'done',
  }));
}

const timesOf = (row: TrainRow) => ({
  scheduledAt: row.scheduled_at,
  arrivesAt: row.arrives_at,
  departsAt: row.departs_at,
});

/** One train order as its owner sees it. @param order null while nothing is ordered */
export function trainView(
  row: TrainRow,
  order: OrderRow | null,
  {
    news,
    kitchen,
    mode,
    now,
  }: { news: readonly TrainNews[]; kitchen: readonly KitchenStep[]; mode?: PaymentMode; now: number },
): TrainOrder {
  const { country } = row;
  const times = timesOf(row);
  const { orderUntil, payUntil } = windowOf(row.arrives_at, row.cutoff_minutes);
  const seed = readTrainSeed(country)?.stations.find(({ code }) => code === row.station);
  const code = order?.hand_over_code;
  const isCoded = order !== null && !['PENDING', 'FAILED', 'CANCELLED'].includes(order.status);
  return {
    trainOrderId: row.id,
    orderId: row.order_id,
    state: stateOf(row, order),
    pnrEnd: row.pnr_end,
    train: { number: row.train_number, name: row.train_name },
    station: {
      stationId: row.station,
      name: stationName(country, row.station),
      city: seed?.city ?? '',
      ...times,
      ...stopMinutes(times),
      platform: row.platform,
    },
    storeId: row.store_id,
    coach: row.coach,
    berth: row.berth,
    mayChange: order === null || ['PENDING', 'ADVANCE ORDER', 'ORDER PLACED', 'INPROCESS'].includes(order.status),
    passenger: row.passenger_name === null ? null : { name: row.passenger_name, mobile: row.passenger_mobile ?? '' },
    mobile: row.mobile,
    isPhoneChecked: row.checked_at !== null,
    orderUntil,
    payUntil,
    cancel: order === null ? { possible: true, until: null, rule: t.cancelUnpaid } : trainCancelRule(row, order, now),
    question:
      order === null || mode === undefined || isFinal(order.status) ? null : questionView(row, order.total, mode, now),
    news: news.map((one) => ({ at: one.at, text: newsText(one, country, mode, now) })),
    timeline: timelineOf(row, order, kitchen),
    ...(code != null && isCoded ? { handOverCode: code } : {}),
  };
}

/** Saved train orders, without an order: nothing is told of their trains yet. */
export const savedViews = (rows: readonly TrainRow[], now: number): TrainOrder[] =>
  rows.map((row) => trainView(row, null, { news: [], kitchen: [], now }));
