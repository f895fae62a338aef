import * as t from '#text/help.ts';
import { atom, useAtomValue, useSetAtom } from 'jotai';
import { isGone } from '../../api/failure.ts';
import type { Ticket } from '../../contract/help.ts';
import { askPersonAtom, helpTasks, ticketState } from '../../state/after/help.ts';
import { sentenceOf } from '../../state/base/popup.ts';
import { AppBar } from '../../ui/page/AppBar.tsx';
import { Button } from '../../ui/forms/Button.tsx';
import { Card } from '../../ui/page/Card.tsx';
import { Exact } from '../../ui/money/Exact.tsx';
import { href } from '../../ui/href.ts';
import { Actions, Aside, Page } from '../../ui/page/Page.tsx';
import { Price } from '../../ui/money/Price.tsx';
import { Repeat } from '../../ui/time/Repeat.tsx';
import { rich } from '../../ui/rich.ts';
import { Skeleton } from '../../ui/page/Skeleton.tsx';
import { Steps, type Step } from '../../ui/Steps.tsx';
import { SuccessPicture } from '../../ui/pictures/SuccessPicture.tsx';
import type { ScreenInput } from '../base/entered.ts';
import { useWhen } from '../base/when.ts';
import { NotLoaded } from '../base/NotLoaded.tsx';
import { useClock } from '../base/clock.ts';
import { HelpNumber } from '../base/HelpNumber.tsx';
import css from './Help.module.css';

export const enter = atom(null, (_get, set, { params }: ScreenInput) => set(ticketState.load, params.eventId ?? ''));

const LOOK_EVERY_MS = 15_000;

function titleOf({ state, money }: Ticket) {
  if (state === 'PERSON') return t.personTitle;
  return money === null ? t.answeredTitle : rich(t.moneyTitle, { amount: <Price amount={money.amount} /> });
}

/** What has happened and what is to come, each with its time. */
function Way({ ticket }: { ticket: Ticket }) {
  const when = useWhen();
  const clock = useClock();
  const { createdAt, answeredAt, answerBy, money } = ticket;
  const steps: Step[] = [
    { title: t.youTold, detail: when.moment(createdAt), state: 'done' },
    answeredAt === null
      ? { title: t.answerComes({ time: clock.time(answerBy ?? createdAt) }), state: 'current' }
      : { title: t.answered, detail: when.moment(answeredAt), state: 'done' },
    ...(money === null
      ? []
      : [
          {
            title: rich(t.moneyComes, { amount: <Price amount={money.amount} />, label: money.label }),
            detail:
              money.state === 'PAID'
                ? t.moneySince({ date: clock.date(money.by) })
                : t.moneyBy({ date: clock.date(money.by) }),
            state: money.state === 'PAID' ? ('done' as const) : ('current' as const),
          },
        ]),
  ];
  return (
    <Card title={t.steps}>
      <Steps label={t.steps} steps={steps} />
    </Card>
  );
}

function Shown({ ticket }: { ticket: Ticket }) {
  const askPerson = useSetAtom(askPersonAtom);
  const isSending = useAtomValue(helpTasks.isBusyAtom);
  const load = useSetAtom(ticketState.load);
  const isWaiting = ticket.state === 'PERSON';
  return (
    <Page>
      <section className={css.hero}>
        {ticket.money && <SuccessPicture />}
        <p role="status">{ticket.answer}</p>
      </section>
      {isWaiting && <Repeat everyMs={LOOK_EVERY_MS} run={() => load(ticket.eventId)} />}
      {isWaiting && <Aside>{rich(t.urgent, { help: <HelpNumber /> })}</Aside>}
      <Way ticket={ticket} />
      <Card title={t.about}>
        <p>{ticket.label}</p>
        {ticket.items.length > 0 && (
          <ul className={css.list}>
            {ticket.items.map((item) => (
              <li key={item}>{item}</li>
            ))}
          </ul>
        )}
        {ticket.comment !== null && <p>“{ticket.comment}”</p>}
      </Card>
      <Actions>
        {ticket.mayAskPerson && (
          <Button full busy={isSending} onClick={() => void askPerson(ticket)}>
            {t.person}
          </Button>
        )}
        <Button
          full
          kind="secondary"
          href={href(`/postorder-ui/orderdetails?orderId=${encodeURIComponent(ticket.orderId)}`)}
        >
          {t.seeOrder}
        </Button>
        <Button full kind="quiet" href={href('/help')}>
          {t.myTickets}
        </Button>
      </Actions>
    </Page>
  );
}

/** The state of one question: the answer with money and date, and what happens until then. */
export default function TicketScreen({ params }: { params: Readonly<Record<string, string>> }) {
  const { data, failure } = useAtomValue(ticketState.atom);
  const load = useSetAtom(ticketState.load);
  const eventId = params.eventId ?? '';
  const ticket = data?.eventId === eventId && !isGone(failure) ? data : null;
  return (
    <>
      <AppBar
        title={ticket ? titleOf(ticket) : t.answeredTitle}
        subtitle={
          ticket ? (
            <>
              {rich(t.orderOf, { number: <Exact>{ticket.orderNumber}</Exact> })} · <span>{ticket.label}</span>
            </>
          ) : failure ? undefined : null
        }
        back={{ label: t.backToHelp, href: href(ticket ? `/help/${ticket.orderId}` : '/help') }}
      />
      {ticket ? (
        <Shown ticket={ticket} />
      ) : failure ? (
        <NotLoaded
          title={failure.kind === 'offline' ? t.offline : sentenceOf(failure)}
          failure={failure}
          onRetry={() => void load(eventId)}
        />
      ) : (
        <Page busy>
          <Skeleton height="14rem" />
          <Skeleton height="10rem" />
        </Page>
      )}
    </>
  );
}
