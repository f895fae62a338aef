import * as t from '#text/chat.ts';
import * as feedbackText from '#text/feedback.ts';
import * as historyText from '#text/history.ts';
import { Issue, type Claim, type Ticket } from '../../contract/help.ts';
import * as help from '../../contract/help.ts';
import { isLost } from '../../domain/orders.ts';
import { newId } from '../../state/first/lib/ids.ts';
import { apiAtom } from '../../state/first/seams.ts';
import { ticketState } from '../../state/after/help.ts';
import type { ChatAnswer, ChatChoice } from '../../state/menu/chat.ts';
import { clockOf, moneyOf, said, withOrder, type Answerer, type Desk } from './desk.ts';

// What went wrong with an order: the same questions, rules and answers as those of screens/help, said in sentences.

const person = (): ChatChoice => ({ label: t.askPerson, act: { do: 'person' } });
const guided = (orderId: string, issue?: Issue): ChatChoice => ({
  label: t.issueSeveral,
  path: `/help/${orderId}${issue ? `?issue=${issue}` : ''}`,
});

/** What is open for an order, as buttons. */
const issues: Answerer = (desk) =>
  withOrder(
    desk,
    { fits: ({ orderStatus }) => !isLost(orderStatus), none: () => said([t.noOrder]), newest: true },
    async (order) => {
      const { orderId, orderNumber: number } = order;
      const { categories } = await desk.get(apiAtom).call(help.guide, { query: { orderId } });
      const open = categories.filter(({ isOpen }) => isOpen);
      if (open.length === 0)
        return said([categories.find(({ id }) => id === 'missing')?.reason ?? t.issueNoneLeft({ number })], [person()]);
      return said(
        [t.issueWhat({ number })],
        open.map(({ id, label }) => ({ label, act: { do: id, orderId } })),
      );
    },
  );

/** One thing that went wrong: which dish, if that is not clear, and then what the rules give for it. */
const issueOf =
  (issue: Issue): Answerer =>
  (desk) =>
    withOrder(
      desk,
      { fits: ({ orderStatus }) => !isLost(orderStatus), none: () => said([t.noOrder]), newest: true },
      async (order) => {
        const { orderId, orderNumber: number } = order;
        const { categories, items } = await desk.get(apiAtom).call(help.guide, { query: { orderId } });
        const category = categories.find(({ id }) => id === issue);
        if (!category) return said([t.cannot], [person()]);
        if (!category.isOpen)
          return said(
            [t.issueClosed({ label: category.label, reason: category.reason ?? '' })],
            [{ label: t.askWhere, act: { do: 'where', orderId } }, person()],
          );
        const next = { ...desk.act, do: issue, orderId };
        if (category.about === 'order') return await offered(desk, { orderId, issue });
        const left = items.filter((item) => item.left > 0);
        const chosen =
          left.find(({ lineId }) => lineId === desk.act.lineId) ?? (left.length === 1 ? left[0] : undefined);
        if (chosen) return await offered(desk, { orderId, issue, items: [{ lineId: chosen.lineId, quantity: 1 }] });
        if (left.length === 0) return said([t.issueNoneLeft({ number })], [guided(orderId, issue), person()]);
        const nameOf = (lineId: string) => order.lines.find((line) => line.lineId === lineId)?.product.name ?? '';
        return said(
          [t.issueWhich({ number })],
          [...left.map(({ lineId }) => ({ label: nameOf(lineId), act: { ...next, lineId } })), guided(orderId, issue)],
        );
      },
    );

/** What a claim would bring, by the server's rules, before anything is claimed. */
async function offered(desk: Desk, claim: Claim): Promise<ChatAnswer> {
  const { issue, orderId, items } = claim;
  const { kind, amount, answer, ways } = await desk.get(apiAtom).call(help.quote, { body: claim });
  const lineId = items?.[0]?.lineId;
  const act = { do: 'claim', orderId, issue, key: newId(), ...(lineId === undefined ? {} : { lineId }) };
  const no: ChatChoice = { label: t.issueNot, act: { do: 'no' }, is: 'no' };
  const several = items === undefined ? [] : [guided(orderId, issue)];
  if (kind === 'PAY' && amount !== null && ways.length > 0)
    return said(
      [
        answer,
        ways.length > 1 ? t.issuePay : '',
        ...ways.map(({ label, detail }) => t.issueTakeDetail({ label, detail })),
      ],
      [
        ...ways.map(({ id, label }, at) => ({
          label: t.issueTake({ amount: moneyOf(desk, amount), label }),
          act: { ...act, way: id },
          ...(at === 0 ? { is: 'yes' as const } : {}),
        })),
        ...several,
        no,
      ],
    );
  const isPerson = kind === 'PERSON';
  const { text } = desk.act;
  return said(
    [answer, isPerson ? t.issueAsk : ''],
    [
      {
        label: isPerson ? t.issuePerson : t.issueTell,
        act: { ...act, ...(text === undefined ? {} : { text }) },
        is: 'yes',
      },
      ...several,
      no,
    ],
  );
}

/** Claims. @throws Failure where the rules have changed meanwhile */
const claim: Answerer = async (desk) => {
  const { orderId = '', issue = 'bill', lineId, way, text, key = newId() } = desk.act;
  const { ticket } = await desk.get(apiAtom).call(
    help.claim,
    {
      body: {
        orderId,
        issue,
        ...(lineId === undefined ? {} : { items: [{ lineId, quantity: 1 }] }),
        ...(way === undefined ? {} : { way }),
        ...(text === undefined ? {} : { comment: text }),
      },
    },
    { idempotencyKey: key },
  );
  desk.set(ticketState.put, ticket);
  return said(
    [ticket.answer, outcome(desk, ticket)],
    [{ label: t.issueSee, path: `/ticket/${ticket.eventId}` }, ...(ticket.mayAskPerson ? [person()] : [])],
  );
};

function outcome(desk: Desk, { money, answerBy }: Ticket): string {
  const { date, time } = clockOf(desk);
  if (money) {
    const words = { amount: moneyOf(desk, money.amount), label: money.label, date: date(money.by) };
    return money.state === 'PAID' ? t.issuePaid(words) : t.issueMoney(words);
  }
  return answerBy === null ? '' : t.issueAnswerBy({ time: time(answerBy) });
}

/** Where praise and blame go. */
const rating: Answerer = () =>
  said(
    [t.rating],
    [
      { label: historyText.title, path: '/postorder-ui/orderHistory' },
      { label: feedbackText.visitTitle, path: '/feedback' },
    ],
  );

export const aboutHelp: Readonly<Record<string, Answerer>> = {
  issues,
  claim,
  rating,
  ...Object.fromEntries(Issue.options.map((issue) => [issue, issueOf(issue)])),
};
