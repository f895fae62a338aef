import * as errors from '#text/errors.ts';
import * as t from '#text/feedback.ts';
import * as orderText from '#text/order.ts';
import { atom, useAtomValue, useSetAtom } from 'jotai';
import { useRef, useState } from 'react';
import type { Feedback } from '../../contract/feedback.ts';
import { characters, FEEDBACK_MAX, LOW_RATING } from '../../domain/feedback.ts';
import { typedText } from '../../domain/typedText.ts';
import {
  addWordAtom,
  changeFeedbackAtom,
  checkCommentAtom,
  feedbackDraftAtom,
  feedbackTasks,
  isChangingAtom,
  isThankedAtom,
  namesOrder,
  openFeedbackAtom,
  sendFeedbackAtom,
  templateState,
  writeFeedbackAtom,
} from '../../state/after/feedback.ts';
import { codeOf } from '../../api/failure.ts';
import { isOpenAtom } from '../../state/first/config.ts';
import { pathAtom } from '../../state/first/seams.ts';
import { sentenceOf } from '../../state/base/popup.ts';
import { AppBar } from '../../ui/page/AppBar.tsx';
import { Button } from '../../ui/forms/Button.tsx';
import { Card } from '../../ui/page/Card.tsx';
import { Chips } from '../../ui/forms/Chips.tsx';
import { EmptyPicture } from '../../ui/pictures/EmptyPicture.tsx';
import { EmptyState } from '../../ui/page/EmptyState.tsx';
import { Exact } from '../../ui/money/Exact.tsx';
import { href } from '../../ui/href.ts';
import { HelpIcon } from '../../ui/pictures/icons.ts';
import { ListRow } from '../../ui/page/ListRow.tsx';
import { Actions, Aside, Page } from '../../ui/page/Page.tsx';
import { rich } from '../../ui/rich.ts';
import { Scale } from '../../ui/Scale.tsx';
import { Skeleton } from '../../ui/page/Skeleton.tsx';
import { showTop } from '../../ui/overlays/showTop.ts';
import { Stars, StarsGiven } from '../../ui/forms/Stars.tsx';
import { SuccessPicture } from '../../ui/pictures/SuccessPicture.tsx';
import { TextArea } from '../../ui/forms/TextArea.tsx';
import { useCustomerChange } from '../base/customerChange.ts';
import type { ScreenInput } from '../base/entered.ts';
import { NotLoaded } from '../base/NotLoaded.tsx';
import { useWhen } from '../base/when.ts';
import { HelpNumber } from '../base/HelpNumber.tsx';
import { Counter } from './Counter.tsx';
import css from './Feedback.module.css';

export const enter = atom(null, (_get, set, { query }: ScreenInput) => set(openFeedbackAtom, query));

type Shown = NonNullable<ReturnType<typeof useShown>>;
const useShown = () => useAtomValue(templateState.atom).data;

function Form({ shown }: { shown: Shown }) {
  const { template } = shown;
  const draft = useAtomValue(feedbackDraftAtom);
  const problems = useAtomValue(feedbackTasks.problemsAtom);
  const write = useSetAtom(writeFeedbackAtom);
  const check = useSetAtom(checkCommentAtom);
  const send = useSetAtom(sendFeedbackAtom);
  const isSending = useAtomValue(feedbackTasks.isBusyAtom);
  const isChanging = useAtomValue(isChangingAtom);
  const form = useRef<HTMLFormElement>(null);
  const isLow = draft.overall !== null && draft.overall <= LOW_RATING;
  const submit = async () => {
    if (await send()) return showTop();
    // What the server has refused is drawn only after its answer.
    requestAnimationFrame(() =>
      form.current?.querySelector<HTMLElement>('[data-wrong] input, [data-wrong] textarea')?.focus(),
    );
  };
  const wrong = (problem: string | undefined) => (problem === undefined ? {} : { 'data-wrong': true });
  return (
    <form
      ref={form}
      className={css.form}
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <div {...wrong(problems.rating)}>
        <Stars
          legend={template.overall.question}
          max={template.overall.max}
          value={draft.overall}
          error={problems.rating}
          onChange={(overall) => write({ overall })}
        />
      </div>
      {draft.overall !== null && (
        <div>
          <p className={css.label} aria-hidden>
            {isLow ? t.notGood : t.good}
          </p>
          <Chips
            label={isLow ? t.notGood : t.good}
            chips={template.aspects.map(({ id, label }) => ({ id, text: label }))}
            pressed={draft.aspects}
            onToggle={(id) => {
              const aspect = template.aspects.find((own) => own.id === id)!.id;
              const aspects = draft.aspects.includes(aspect)
                ? draft.aspects.filter((own) => own !== aspect)
                : [...draft.aspects, aspect];
              write({ aspects });
            }}
          />
        </div>
      )}
      <div {...wrong(problems.comment)}>
        <TextArea
          label={t.comment}
          hint={
            <>
              {t.commentHint({ min: template.comment.minChars, max: template.comment.maxChars })}{' '}
              <Counter text={draft.comment} min={template.comment.minChars} max={template.comment.maxChars} />
            </>
          }
          error={problems.comment}
          rows={4}
          value={draft.comment}
          onChange={({ target }) => {
            write({ comment: target.value });
            check();
          }}
        />
      </div>
      <div {...wrong(problems.nps)}>
        <Scale
          legend={template.nps.question}
          min={template.nps.min}
          max={template.nps.max}
          low={t.leastLikely}
          high={t.mostLikely}
          value={draft.nps}
          error={problems.nps}
          onChange={(nps) => write({ nps })}
        />
      </div>
      <Actions>
        <Button full type="submit" busy={isSending}>
          {isChanging ? t.saveChange : t.send}
        </Button>
      </Actions>
    </form>
  );
}

/** What a rating with few stars leads to: help at the very thing that it names. */
function Helps({ orderId, helps }: { orderId: string; helps: Feedback['helps'] }) {
  const isOpen = useAtomValue(isOpenAtom);
  if (helps.length === 0 || !isOpen('support')) return null;
  return (
    <Card title={t.helpWith} flush>
      {helps.map(({ issue, label }) => (
        <ListRow
          key={issue}
          icon={<HelpIcon size={22} />}
          title={label}
          href={href(`/help/${orderId}?issue=${issue}`)}
        />
      ))}
    </Card>
  );
}

function AddWord() {
  const add = useSetAtom(addWordAtom);
  const isSending = useAtomValue(feedbackTasks.isBusyAtom);
  const [text, setText] = useState<string | null>(null);
  const isLong = text !== null && characters(text) > FEEDBACK_MAX;
  if (text === null)
    return (
      <Button full kind="quiet" onClick={() => setText('')}>
        {t.addWord}
      </Button>
    );
  return (
    <form
      className={css.form}
      onSubmit={(event) => {
        event.preventDefault();
        if (isLong) return;
        void add(typedText(text)).then((isAdded) => {
          if (!isAdded) return;
          setText(null);
          showTop();
        });
      }}
    >
      <TextArea
        label={t.addWordLabel}
        hint={<Counter text={text} max={FEEDBACK_MAX} />}
        error={isLong ? errors.feedbackLong : undefined}
        autoFocus
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
      <Actions>
        <Button full type="submit" busy={isSending} disabled={typedText(text) === ''}>
          {t.add}
        </Button>
      </Actions>
    </form>
  );
}

function Said({ shown, feedback }: { shown: Shown; feedback: Feedback }) {
  const isThanked = useAtomValue(isThankedAtom);
  const change = useSetAtom(changeFeedbackAtom);
  const named = shown.template.aspects.filter(({ id }) => feedback.aspects.includes(id));
  return (
    <>
      <div role="status">
        <EmptyState
          picture={isThanked ? <SuccessPicture /> : undefined}
          title={isThanked ? t.thanksTitle : errors.alreadyRated}
        >
          {isThanked && <p>{feedback.overall <= LOW_RATING ? t.sorryText : t.thanksText}</p>}
        </EmptyState>
      </div>
      <Helps orderId={shown.order.orderId} helps={feedback.helps} />
      {feedback.overall <= LOW_RATING && feedback.helps.length === 0 && (
        <Aside>{rich(orderText.needHelpWithOrder, { help: <HelpNumber /> })}</Aside>
      )}
      <Card title={t.youSaid}>
        <p>
          <StarsGiven value={feedback.overall} />
        </p>
        {named.length > 0 && <p>{named.map(({ label }) => label).join(' · ')}</p>}
        {feedback.comment !== '' && <p className={css.quote}>“{feedback.comment}”</p>}
        {feedback.additional !== null && <p>{t.added({ text: feedback.additional })}</p>}
        <p className={css.soft}>{t.recommend({ nps: feedback.nps })}</p>
      </Card>
      <Actions>
        {feedback.mayChange && (
          <Button full kind="secondary" onClick={() => change()}>
            {t.change}
          </Button>
        )}
        {feedback.mayChange && feedback.additional === null && <AddWord />}
        <Button full kind="quiet" href={href(`/order/${shown.order.orderId}`)}>
          {t.seeOrder}
        </Button>
      </Actions>
    </>
  );
}

function Body({ shown }: { shown: Shown }) {
  const isChanging = useAtomValue(isChangingAtom);
  const { order, state, feedback } = shown;
  const isForm = state === 'OPEN' || isChanging;
  return (
    <Page>
      {isForm && <p className={css.soft}>{order.dishes.join(', ')}</p>}
      {isForm ? (
        <Form shown={shown} />
      ) : feedback ? (
        <Said shown={shown} feedback={feedback} />
      ) : (
        <EmptyState
          picture={<EmptyPicture />}
          title={state === 'EARLY' ? t.early : t.closed}
          action={<Button href={href(`/order/${order.orderId}`)}>{t.seeOrder}</Button>}
        />
      )}
    </Page>
  );
}

/** Feedback on an order: from its page, or by the link in a message (/uf). */
export default function FeedbackScreen() {
  const { data: shown, failure } = useAtomValue(templateState.atom);
  const path = useAtomValue(pathAtom);
  const open = useSetAtom(openFeedbackAtom);
  const when = useWhen();
  const query = new URLSearchParams(path.split('?')[1] ?? '');
  useCustomerChange(openFeedbackAtom, query);
  const isBroken = !namesOrder(query) || codeOf(failure) === 'NOT_FOUND' || codeOf(failure) === 'INVALID_INPUT';
  return (
    <>
      <AppBar
        title={t.title}
        subtitle={
          isBroken ? undefined : (
            // Two lines from the start.
            <>
              {shown &&
                rich(t.orderOf, { number: <Exact>{shown.order.orderNumber}</Exact>, store: shown.order.storeName })}
              <br />
              {shown ? when.moment(shown.order.placedAt) : '\u00a0'}
            </>
          )
        }
        back={
          shown
            ? { label: t.seeOrder, href: href(`/order/${shown.order.orderId}`) }
            : { label: orderText.home, href: href('/') }
        }
      />
      {shown ? (
        <Body key={shown.order.orderId} shown={shown} />
      ) : isBroken ? (
        <EmptyState
          picture={<EmptyPicture />}
          title={errors.brokenLink}
          action={<Button href={href('/menu')}>{t.seeMenu}</Button>}
        />
      ) : failure && codeOf(failure) !== 'LOGIN' ? (
        <NotLoaded
          title={failure.kind === 'offline' ? t.offlineTitle : sentenceOf(failure)}
          failure={failure}
          onRetry={() => void open(query)}
        >
          {failure.kind === 'offline' && t.offlineText}
        </NotLoaded>
      ) : (
        <Page busy>
          <Skeleton height="5rem" />
          <Skeleton height="16rem" />
        </Page>
      )}
    </>
  );
}
