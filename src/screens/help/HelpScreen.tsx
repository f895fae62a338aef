import * as firstText from '#text/first.ts';
import * as t from '#text/help.ts';
import { atom, useAtomValue, useSetAtom } from 'jotai';
import { Issue } from '../../contract/help.ts';
import type { CartLine } from '../../contract/cart.ts';
import type { OrderView } from '../../contract/orders.ts';
import { inputOf } from '../../domain/lineInput.ts';
import { madeOf } from '../../domain/madeOf.ts';
import {
  chooseIssueAtom,
  claimAtom,
  guideState,
  helpDraftAtom,
  helpTasks,
  namePieceAtom,
  openHelpAtom,
  quoteAgainAtom,
  quoteState,
  writeHelpAtom,
} from '../../state/after/help.ts';
import { orderAtom, orderState } from '../../state/orders/orders.ts';
import { sentenceOf } from '../../state/base/popup.ts';
import { AppBar } from '../../ui/page/AppBar.tsx';
import { Button } from '../../ui/forms/Button.tsx';
import { Card } from '../../ui/page/Card.tsx';
import { Chips } from '../../ui/forms/Chips.tsx';
import { Exact } from '../../ui/money/Exact.tsx';
import { href } from '../../ui/href.ts';
import { CheckIcon } from '../../ui/pictures/icons.ts';
import { ListRow } from '../../ui/page/ListRow.tsx';
import { Actions, Aside, Page } from '../../ui/page/Page.tsx';
import { Price } from '../../ui/money/Price.tsx';
import { QuantityStepper } from '../../ui/forms/QuantityStepper.tsx';
import { RadioCards } from '../../ui/forms/RadioCards.tsx';
import { rich } from '../../ui/rich.ts';
import { Skeleton } from '../../ui/page/Skeleton.tsx';
import { TextArea } from '../../ui/forms/TextArea.tsx';
import type { ScreenInput } from '../base/entered.ts';
import { LinePicture } from '../base/LinePicture.tsx';
import { NotLoaded } from '../base/NotLoaded.tsx';
import { HelpNumber } from '../base/HelpNumber.tsx';
import { ISSUE_ICONS } from './issueIcons.ts';
import { TicketRow } from './TicketRow.tsx';
import css from './Help.module.css';
import { DishName } from '../../ui/DishName.tsx';

export const enter = atom(null, async (_get, set, { params, query }: ScreenInput) => {
  const orderId = params.orderId ?? '';
  const issue = Issue.safeParse(query.get('issue'));
  await Promise.all([set(orderState.load, orderId), set(openHelpAtom, orderId, issue.success ? issue.data : null)]);
});

type Guide = NonNullable<ReturnType<typeof useGuide>>;
const useGuide = () => useAtomValue(guideState.atom).data;

/** Moves the focus to the headline of the next step, which says what is asked now. */
const focus = (element: HTMLElement | null) => element?.focus();

function Issues({ guide }: { guide: Guide }) {
  const choose = useSetAtom(chooseIssueAtom);
  const open = guide.categories.filter((category) => category.isOpen);
  if (open.length === 0) return <p>{guide.categories.find((one) => one.id === 'missing')?.reason ?? t.noneOpen}</p>;
  return (
    <Card title={t.what} flush>
      {open.map(({ id, label }) => {
        const Icon = ISSUE_ICONS[id];
        return <ListRow key={id} icon={<Icon size={22} />} title={label} onClick={() => choose(id)} />;
      })}
    </Card>
  );
}

/** One dish: a tap names it; where there are several, how many, and where it has parts, which. */
function Dish({ line, item }: { line: CartLine; item: Guide['items'][number] }) {
  const { items } = useAtomValue(helpDraftAtom);
  const name = useSetAtom(namePieceAtom);
  const { lineId } = line;
  const own = items.filter((piece) => piece.lineId === lineId);
  const whole = own.find((piece) => piece.part === undefined);
  const most = Math.max(item.left, ...item.parts.map((part) => part.left));
  const made = madeOf(line);
  const isChosen = own.length > 0;
  const isSome = item.left === 0 && item.parts.length > 0;
  return (
    <li className={css.dish} data-chosen={isChosen || undefined}>
      <label className={css.tap} data-off={most === 0 || undefined}>
        <input
          type="checkbox"
          className="visually-hidden"
          checked={isChosen}
          disabled={most === 0}
          onChange={({ target }) => {
            if (!target.checked) for (const piece of own) name({ ...piece, quantity: 0 });
            else if (isSome) name({ lineId, part: item.parts.find((part) => part.left > 0)?.id, quantity: 1 });
            else name({ lineId, quantity: 1 });
          }}
        />
        <span className={css.picture}>
          <LinePicture line={{ ...inputOf(line), product: line.product }} />
        </span>
        <span className={css.words}>
          <DishName name={line.product.name} />
          {made.length > 0 && <small>{made.join(' · ')}</small>}
          {item.paid !== null && (
            <small key={item.paid}>
              {item.paid === 0
                ? t.paidNothing
                : rich(line.quantity > 1 ? t.youPaidForOne : t.youPaid, { amount: <Price amount={item.paid} /> })}
            </small>
          )}
        </span>
        <span className={css.mark}>{isChosen && <CheckIcon size={18} />}</span>
      </label>
      {whole && item.left > 1 && (
        <span className={css.count}>
          <QuantityStepper
            label={line.product.name}
            min={1}
            max={item.left}
            value={whole.quantity}
            onChange={(quantity) => name({ lineId, quantity })}
          />
        </span>
      )}
      {isChosen && item.parts.length > 0 && (
        <Chips
          label={t.part({ dish: line.product.name })}
          chips={[
            ...(item.left > 0 ? [{ id: '', text: t.whole }] : []),
            ...item.parts.filter((part) => part.left > 0).map(({ id, label }) => ({ id, text: label })),
          ]}
          pressed={own.map((piece) => piece.part ?? '')}
          onToggle={(id) => {
            const held = own.find((piece) => (piece.part ?? '') === id);
            if (id === '') name({ lineId, quantity: held ? 0 : 1 });
            else name({ lineId, part: id, quantity: held ? 0 : 1 });
          }}
        />
      )}
    </li>
  );
}

function Dishes({ order, guide }: { order: OrderView; guide: Guide }) {
  const isDone = guide.items.every((item) => item.left === 0 && item.parts.every((part) => part.left === 0));
  return (
    <section className={css.step}>
      <h2 ref={focus} tabIndex={-1}>
        {t.which}
      </h2>
      {isDone && <p>{t.allDone}</p>}
      <ul className={css.dishes}>
        {order.lines.map((line) => {
          const item = guide.items.find((own) => own.lineId === line.lineId);
          return item && <Dish key={line.lineId} line={line} item={item} />;
        })}
      </ul>
    </section>
  );
}

type Quote = NonNullable<ReturnType<typeof useQuote>['data']>;
const useQuote = () => useAtomValue(quoteState);

/** Where the money goes, what else there is to say, and the one button. */
function Send({ quote, isBusy }: { quote: Quote; isBusy: boolean }) {
  const draft = useAtomValue(helpDraftAtom);
  const write = useSetAtom(writeHelpAtom);
  const claim = useSetAtom(claimAtom);
  const { kind, amount, ways } = quote;
  return (
    <form
      className={css.step}
      onSubmit={(event) => {
        event.preventDefault();
        void claim();
      }}
    >
      {ways.length > 0 && (
        <RadioCards
          legend={t.where}
          options={ways.map(({ id, label, detail }) => ({ value: id, title: label, detail }))}
          value={draft.way ?? ways[0]!.id}
          onChange={(way) => write({ way })}
        />
      )}
      {kind === 'PERSON' && (
        <TextArea
          label={t.comment}
          hint={t.commentHint}
          maxLength={500}
          value={draft.comment}
          onChange={({ target }) => write({ comment: target.value })}
        />
      )}
      <Actions>
        <Button full type="submit" busy={isBusy}>
          {/* One piece: between the words of a button lies more room than between those of a sentence. */}
          <span>
            {kind === 'PAY' && amount !== null
              ? rich(t.getBack, { amount: <Price amount={amount} /> })
              : kind === 'PERSON'
                ? t.askPerson
                : t.tellUs}
          </span>
        </Button>
      </Actions>
    </form>
  );
}

/** The answer that would be given. The live region stays, so that screen readers say its changes. */
function Answer({ isWhole }: { isWhole: boolean }) {
  const { data: quote, status, failure } = useQuote();
  const again = useSetAtom(quoteAgainAtom);
  const draft = useAtomValue(helpDraftAtom);
  const isSending = useAtomValue(helpTasks.isBusyAtom);
  if (!isWhole && draft.items.length === 0)
    return (
      <section className={css.step}>
        <div role="status" />
      </section>
    );
  const isFailed = status === 'failed';
  return (
    <section className={css.step} aria-busy={status === 'loading'}>
      <div role="status">
        {isFailed && <p>{sentenceOf(failure)}</p>}
        {quote && !isFailed && (
          <>
            <h2 ref={isWhole ? focus : undefined} tabIndex={-1}>
              {t.answerTitle}
            </h2>
            <p className={css.answer} data-kind={quote.kind}>
              {quote.answer}
            </p>
          </>
        )}
      </div>
      {!quote && status === 'loading' && <Skeleton height="5rem" />}
      {isFailed && failure?.kind !== 'refused' && (
        <Button kind="secondary" onClick={() => void again()}>
          {firstText.tryAgain}
        </Button>
      )}
      {quote && !isFailed && <Send quote={quote} isBusy={isSending || status === 'loading'} />}
    </section>
  );
}

function Guided({ order, guide }: { order: OrderView; guide: Guide }) {
  const { issue } = useAtomValue(helpDraftAtom);
  const choose = useSetAtom(chooseIssueAtom);
  const chosen = guide.categories.find((category) => category.id === issue && category.isOpen);
  const isWhole = chosen?.about === 'order';
  const Icon = chosen && ISSUE_ICONS[chosen.id];
  return (
    <Page>
      {chosen && Icon ? (
        <>
          <Card flush>
            <ListRow
              icon={<Icon size={22} />}
              title={chosen.label}
              end={<span className={css.change}>{t.change}</span>}
              onClick={() => choose(null)}
            />
          </Card>
          {!isWhole && <Dishes key={chosen.id} order={order} guide={guide} />}
          <Answer key={`${chosen.id} answer`} isWhole={isWhole} />
        </>
      ) : (
        <Issues guide={guide} />
      )}
      {guide.tickets.length > 0 && (
        <Card title={t.asked} flush>
          {guide.tickets.map((ticket) => (
            <TicketRow key={ticket.eventId} ticket={ticket} isNumbered={false} />
          ))}
        </Card>
      )}
      <Aside>{rich(t.callUs, { help: <HelpNumber /> })}</Aside>
    </Page>
  );
}

/** From what went wrong to an answer with money and date, in three taps. */
export default function HelpScreen({ params }: { params: Readonly<Record<string, string>> }) {
  const orderId = params.orderId ?? '';
  const held = useAtomValue(orderAtom);
  const state = useAtomValue(guideState.atom);
  const open = useSetAtom(openHelpAtom);
  const load = useSetAtom(orderState.load);
  const loaded = useAtomValue(orderState.atom);
  const order = held?.orderId === orderId ? held : null;
  const guide = state.data?.orderId === orderId ? state.data : null;
  const failure = (order ? null : loaded.failure) ?? (guide ? null : state.failure);
  return (
    <>
      <AppBar
        title={order ? rich(t.orderHelp, { number: <Exact>{order.orderNumber}</Exact> }) : t.orderHelpUnnamed}
        back={{ label: t.backToOrder, href: href(`/postorder-ui/orderdetails?orderId=${encodeURIComponent(orderId)}`) }}
      />
      {order && guide ? (
        <Guided order={order} guide={guide} />
      ) : failure ? (
        <NotLoaded
          title={failure.kind === 'offline' ? t.offline : sentenceOf(failure)}
          failure={failure}
          onRetry={() => {
            void load(orderId);
            void open(orderId, null);
          }}
        />
      ) : (
        <Page busy>
          <Skeleton height="22rem" />
          <Skeleton height="6rem" />
        </Page>
      )}
    </>
  );
}
