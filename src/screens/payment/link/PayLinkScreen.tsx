import * as errors from '#text/errors.ts';
import * as t from '#text/payment.ts';
import { atom, useAtom, useAtomValue, useSetAtom } from 'jotai';
import { useState, type FormEvent } from 'react';
import { isGone } from '../../../api/failure.ts';
import { checkAnswerAtom, checkLinkAtom, checkTasks } from '../../../state/payment/paymentCheck.ts';
import { clockAheadAtom } from '../../../state/base/clock.ts';
import { isOfflineAtom } from '../../../state/base/network.ts';
import {
  beginPayLinkAtom,
  collectByLinkAtom,
  payLinkTasks,
  leaveLinkStepAtom,
  linkModeAtom,
  linkStepAtom,
  payByLinkAtom,
  payLinkState,
} from '../../../state/payment/paylinks.ts';
import { cardTasks } from '../../../state/drafts/card.ts';
import { enterCardsAtom, takeCardAtom, vpaAtom } from '../../../state/payment/payments.ts';
import { sentenceOf } from '../../../state/base/popup.ts';
import { payableHereAtom } from '../../../state/drafts/elsewhere.ts';
import { choiceOfAtom, isChoiceNeeded } from '../../../state/drafts/paymentChoice.ts';
import { writtenPhone } from '../../../domain/writtenPhone.ts';
import { countryAtom } from '../../../state/base/country.ts';
import { originAtom } from '../../../state/first/seams.ts';
import { paymentSheetsState } from '../../../state/payment/paymentSheet.ts';
import { addressAt } from '../../../domain/addressAt.ts';
import { typedNumber } from '../../../domain/typedText.ts';
import { Amount } from '../../../ui/money/Amount.tsx';
import { AppBar } from '../../../ui/page/AppBar.tsx';
import { BottomBar } from '../../../ui/page/BottomBar.tsx';
import { Button } from '../../../ui/forms/Button.tsx';
import { Card } from '../../../ui/page/Card.tsx';
import { CheckPaid } from '../../../ui/CheckPaid.tsx';
import { Countdown } from '../../../ui/time/Countdown.tsx';
import { EmptyState } from '../../../ui/page/EmptyState.tsx';
import { Exact } from '../../../ui/money/Exact.tsx';
import { FailedPicture } from '../../../ui/pictures/FailedPicture.tsx';
import { href } from '../../../ui/href.ts';
import { Column, Page } from '../../../ui/page/Page.tsx';
import { Price } from '../../../ui/money/Price.tsx';
import { Problems } from '../../../ui/forms/Problems.tsx';
import { RadioCards } from '../../../ui/forms/RadioCards.tsx';
import { Repeat } from '../../../ui/time/Repeat.tsx';
import { rich } from '../../../ui/rich.ts';
import { Skeleton } from '../../../ui/page/Skeleton.tsx';
import { SuccessPicture } from '../../../ui/pictures/SuccessPicture.tsx';
import { UpiWays } from '../../../ui/UpiWays.tsx';
import type { ScreenInput } from '../../base/entered.ts';
import { NotLoaded } from '../../base/NotLoaded.tsx';
import { CardFields } from '../CardFields.tsx';
import { Choices } from '../Choices.tsx';
import { Elsewhere } from '../Elsewhere.tsx';
import { ModeIcon } from '../ModeIcon.tsx';
import { SheetButtons } from '../SheetButtons.tsx';
import css from './PayLinkScreen.module.css';
import { showWrong } from '../../base/showWrong.ts';

const EVERY_MS = 4_000;

export const enter = atom(null, async (_get, set, { params }: ScreenInput) => {
  set(beginPayLinkAtom);
  void set(enterCardsAtom).then((isBack) => (isBack ? set(linkModeAtom, 'CARD') : undefined));
  void set(paymentSheetsState.load);
  await set(payLinkState.load, params.token ?? '');
});

/** The page behind a pay link: the shop, the amount, the ways to pay, and what became of it. */
export default function PayLinkScreen({ params }: { params: Readonly<Record<string, string>> }) {
  const token = params.token ?? '';
  const { data: link, status, failure } = useAtomValue(payLinkState.atom);
  const load = useSetAtom(payLinkState.load);
  const step = useAtomValue(linkStepAtom);
  const country = useAtomValue(countryAtom);
  // Data of a link that has ended is dropped.
  if (!link || isGone(failure)) {
    return (
      <>
        <AppBar title={t.linkTitle} back={{ label: t.home, href: href('/') }} />
        {status === 'failed' ? (
          <NotLoaded
            title={failure?.kind === 'refused' ? errors.brokenLink : sentenceOf(failure)}
            failure={failure}
            menu="/"
            onRetry={() => void load(token)}
          />
        ) : (
          <Page busy>
            <Skeleton height="14rem" />
          </Page>
        )}
      </>
    );
  }
  const { state } = link;
  return (
    <>
      <AppBar
        title={t.linkTitle}
        subtitle={
          <>
            <Exact>{country.appName}</Exact>, <span>{link.shopName}</span>
          </>
        }
        back={{ label: t.home, href: href('/') }}
      />
      {state === 'PAID' && (
        <EmptyState
          picture={<SuccessPicture />}
          title={errors.linkPaid}
          action={
            <Button kind="secondary" href={href('/menu')}>
              {t.seeMenu}
            </Button>
          }
        >
          <p>
            {rich(t.linkPaidText, {
              amount: <Price amount={link.amount} />,
              app: country.appName,
              shop: link.shopName,
            })}
          </p>
        </EmptyState>
      )}
      {state === 'OVER' && (
        <EmptyState
          picture={<FailedPicture />}
          title={errors.linkOver}
          action={
            <Button kind="secondary" href={href('/menu')}>
              {t.seeMenu}
            </Button>
          }
        >
          <p>{rich(t.linkOverText, { phone: <Exact>{writtenPhone(country.HELP_DESK_NO, country)}</Exact> })}</p>
        </EmptyState>
      )}
      {state === 'UNDER_WAY' && (
        <EmptyState title={t.oneMoment}>
          <p role="status">{t.linkUnderWay}</p>
        </EmptyState>
      )}
      {state === 'OPEN' &&
        (step ? (
          <Page>
            <Asked />
            <Begun token={token} />
          </Page>
        ) : (
          <Choose token={token} />
        ))}
      {(state === 'OPEN' || state === 'UNDER_WAY') && <Repeat everyMs={EVERY_MS} run={() => load(token)} />}
    </>
  );
}

/** The shop and the amount. The payer sees nothing of the order, and the customer nothing of the payer. */
function Asked() {
  const { amount, shopName } = useAtomValue(payLinkState.atom).data!;
  const country = useAtomValue(countryAtom);
  return (
    <Card>
      <Amount amount={amount} />
      <p className={css.shop}>{t.linkAsks({ app: country.appName, shop: shopName })}</p>
    </Card>
  );
}

function Choose({ token }: { token: string }) {
  const link = useAtomValue(payLinkState.atom).data!;
  const [mode, setMode] = useAtom(linkModeAtom);
  const error = useAtomValue(payLinkTasks.problemsAtom).pay;
  const isBusy = useAtomValue(payLinkTasks.isBusyAtom);
  const isCardBusy = useAtomValue(cardTasks.isBusyAtom);
  const isOffline = useAtomValue(isOfflineAtom);
  const aheadMs = useAtomValue(clockAheadAtom);
  const load = useSetAtom(payLinkState.load);
  const takeCard = useSetAtom(takeCardAtom);
  const pay = useSetAtom(payByLinkAtom);
  const [missing, setMissing] = useState(false);
  const options = useAtomValue(payableHereAtom)(link.options);
  const option = link.options.find((one) => one.id === mode);
  const isChoiceMissing = useAtomValue(choiceOfAtom)(option) === null && isChoiceNeeded(option);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (isBusy || isCardBusy) return;
    setMissing(mode === null || isChoiceMissing);
    if (mode === null || isChoiceMissing) return;
    if (mode === 'CARD' && !(await takeCard())) {
      showWrong();
      return;
    }
    await pay(token);
  };
  const card = (
    <>
      <SheetButtons amount={link.amount} isReady={() => true} onCard={() => pay(token)} />
      <CardFields url={link.cardFields} isOwnCart={false} />
    </>
  );
  const below =
    mode === 'CARD'
      ? card
      : option?.choices && (
          <Choices
            option={option}
            error={missing && isChoiceMissing ? t.choiceMissing({ mode: option.id }) : undefined}
          />
        );
  return (
    <form noValidate onSubmit={(event) => void submit(event)}>
      <Page>
        <Asked />
        {(error || link.hasFailed) && <Problems>{error ?? t.linkFailed}</Problems>}
        <Card title={t.modeTitle}>
          <RadioCards
            legend={t.mode}
            quietLegend
            value={mode}
            error={missing && mode === null ? t.modeMissing : undefined}
            onChange={(id) => {
              setMode(id);
              setMissing(false);
            }}
            options={options.map((option) => ({
              value: option.id as string,
              title: option.label,
              detail: option.disabledReason ?? option.about,
              disabled: option.disabledReason !== undefined,
              icon: <ModeIcon mode={option.id} />,
              ...(option.id === mode && below ? { below } : {}),
            }))}
          />
          <Elsewhere />
        </Card>
      </Page>
      <BottomBar
        label={t.pay}
        action={
          <Button type="submit" full busy={isBusy || isCardBusy} disabled={isOffline}>
            {isOffline ? t.payOffline : rich(t.payAmount, { amount: <Price amount={link.amount} /> })}
          </Button>
        }
      >
        <span role="status">
          <Countdown
            endsAtMs={link.expiresAt}
            nowMs={() => Date.now() + aheadMs}
            text={(time) => t.linkWorksFor({ time })}
            expired={errors.linkOver}
            onExpire={() => void load(token)}
          />
        </span>
      </BottomBar>
    </form>
  );
}

function Begun({ token }: { token: string }) {
  const step = useAtomValue(linkStepAtom);
  const leave = useSetAtom(leaveLinkStepAtom);
  const [vpa, setVpa] = useAtom(vpaAtom);
  const [vpaError, setVpaError] = useState('');
  const [isSent, setSent] = useState(false);
  const collect = useSetAtom(collectByLinkAtom);
  const check = useSetAtom(checkLinkAtom);
  const isChecking = useAtomValue(checkTasks.isBusyAtom);
  const answerOf = useAtomValue(checkAnswerAtom);
  const origin = useAtomValue(originAtom);
  const link = useAtomValue(payLinkState.atom).data;
  const app = useAtomValue(choiceOfAtom)(link?.options.find(({ id }) => id === 'UPI'));
  const page = step?.kind === 'redirect' ? step : null;
  return (
    <>
      {step?.kind === 'upi' && (
        <Card>
          <UpiWays
            step={step}
            app={app}
            origin={origin}
            vpa={vpa}
            error={vpaError}
            isSent={isSent}
            onVpa={setVpa}
            onCollect={async () => {
              setVpaError('');
              await collect(token, typedNumber(vpa)).then(
                () => setSent(true),
                (thrown: unknown) => setVpaError(sentenceOf(thrown)),
              );
            }}
          />
        </Card>
      )}
      {page !== null && (
        <Card>
          <Column>
            <p>{page.app ? t.leaveForApp(page.app) : t.leaveForBank}</p>
            <Button full href={addressAt(origin, page.paymentUrl)} data-leave>
              {page.app ? t.continueToApp(page.app) : t.goToBank}
            </Button>
          </Column>
        </Card>
      )}
      <CheckPaid label={t.linkHasPaid} busy={isChecking} answer={answerOf(token)} onCheck={() => void check(token)} />
      <Button kind="quiet" onClick={leave}>
        {t.payOtherWay}
      </Button>
    </>
  );
}
