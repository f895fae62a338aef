import { atom, useAtom, useAtomValue, useSetAtom } from 'jotai';
import { useState, type FormEvent } from 'react';
import { BROKEN_LINK, LINK_FAILED, LINK_OVER, LINK_PAID, LINK_UNDER_WAY, MODE_MISSING } from '../../domain/messages.ts';
import { clockAheadAtom } from '../../state/clock.ts';
import { isOfflineAtom } from '../../state/network.ts';
import { beginPayLinkAtom, collectByLinkAtom, isLinkBusyAtom, leaveLinkStepAtom, linkErrorAtom, linkModeAtom, linkStepAtom, payByLinkAtom, payLinkState } from '../../state/paylinks.ts';
import { isCardBusyAtom, savedCardsState, takeCardAtom, vpaAtom } from '../../state/payments.ts';
import { sentenceOf } from '../../state/popup.ts';
import { countryAtom, originAtom } from '../../state/seams.ts';
import { sheetsState } from '../../state/sheet.ts';
import { Amount } from '../../ui/Amount.tsx';
import { AppBar } from '../../ui/AppBar.tsx';
import { BottomBar } from '../../ui/BottomBar.tsx';
import { Button } from '../../ui/Button.tsx';
import { Card } from '../../ui/Card.tsx';
import { Countdown } from '../../ui/Countdown.tsx';
import { EmptyPicture } from '../../ui/EmptyPicture.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { FailedPicture } from '../../ui/FailedPicture.tsx';
import { href } from '../../ui/href.ts';
import { Column, Page } from '../../ui/Page.tsx';
import { Price } from '../../ui/Price.tsx';
import { Problems } from '../../ui/Problems.tsx';
import { RadioCards } from '../../ui/RadioCards.tsx';
import { Repeat } from '../../ui/Repeat.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { SuccessPicture } from '../../ui/SuccessPicture.tsx';
import { UpiWays } from '../../ui/UpiWays.tsx';
import type { Entered } from '../entered.ts';
import { CardFields } from './CardFields.tsx';
import { ModeIcon } from './ModeIcon.tsx';
import { SheetButtons } from './SheetButtons.tsx';
import css from './PayLinkScreen.module.css';

const EVERY_MS = 4_000;

export const enter = atom(null, async (_get, set, { params }: Entered) => {
  set(beginPayLinkAtom);
  void set(savedCardsState.load);
  void set(sheetsState.load);
  await set(payLinkState.load, params.token ?? '');
});

/** What somebody sees who was sent a pay link: the shop, the amount, the ways to pay, and what became of it. */
export default function PayLinkScreen({ params }: { params: Readonly<Record<string, string>> }) {
  const token = params.token ?? '';
  const { data: link, status, failure } = useAtomValue(payLinkState.atom);
  const load = useSetAtom(payLinkState.load);
  const step = useAtomValue(linkStepAtom);
  const country = useAtomValue(countryAtom);
  if (!link) {
    return (
      <>
        <AppBar title="Pay for an order" back={{ label: 'Home', href: href('/') }} />
        {status === 'failed' ? (
          <EmptyState
            picture={<EmptyPicture />} title={failure?.kind === 'refused' ? BROKEN_LINK : sentenceOf(failure)}
            action={failure?.kind === 'refused' ? <Button href={href('/')}>See the menu</Button> : <Button kind="secondary" onClick={() => void load(token)}>Try again</Button>}
          />
        ) : <Page busy><Skeleton height="14rem" /></Page>}
      </>
    );
  }
  const { state } = link;
  return (
    <>
      <AppBar title="Pay for an order" subtitle={`${country.appName}, ${link.shopName}`} back={{ label: 'Home', href: href('/') }} />
      {state === 'PAID' && (
        <EmptyState picture={<SuccessPicture />} title={LINK_PAID} action={<Button kind="secondary" href={href('/menu')}>See the menu</Button>}>
          <p><Price amount={link.amount} /> to {country.appName}, {link.shopName}. Whoever sent you the link sees it too.</p>
        </EmptyState>
      )}
      {state === 'OVER' && (
        <EmptyState picture={<FailedPicture />} title={LINK_OVER} action={<Button kind="secondary" href={href('/menu')}>See the menu</Button>}>
          <p>No money is taken through it any more. Need help? Call {country.HELP_DESK_NO}.</p>
        </EmptyState>
      )}
      {state === 'UNDER_WAY' && <EmptyState title="One moment"><p role="status">{LINK_UNDER_WAY}</p></EmptyState>}
      {state === 'OPEN' && (step ? <Page><Asked /><Begun token={token} /></Page> : <Choose token={token} />)}
      {(state === 'OPEN' || state === 'UNDER_WAY') && <Repeat everyMs={EVERY_MS} run={() => void load(token)} />}
    </>
  );
}

/** Who asks for how much, and what neither learns of the other. */
function Asked() {
  const { amount, shopName } = useAtomValue(payLinkState.atom).data!;
  const country = useAtomValue(countryAtom);
  return (
    <Card>
      <Amount amount={amount} />
      <p className={css.shop}>Somebody has chosen their food at {country.appName}, {shopName}, and asks you to pay for it. You see nothing of their order, and they see nothing of you.</p>
    </Card>
  );
}

function Choose({ token }: { token: string }) {
  const link = useAtomValue(payLinkState.atom).data!;
  const [mode, setMode] = useAtom(linkModeAtom);
  const error = useAtomValue(linkErrorAtom);
  const isBusy = useAtomValue(isLinkBusyAtom);
  const isCardBusy = useAtomValue(isCardBusyAtom);
  const isOffline = useAtomValue(isOfflineAtom);
  const aheadMs = useAtomValue(clockAheadAtom);
  const load = useSetAtom(payLinkState.load);
  const takeCard = useSetAtom(takeCardAtom);
  const pay = useSetAtom(payByLinkAtom);
  const [missing, setMissing] = useState(false);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (isBusy || isCardBusy) return;
    setMissing(mode === null);
    if (mode === null) return;
    if (mode === 'CARD' && !(await takeCard())) {
      document.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
      return;
    }
    await pay(token);
  };
  const card = <><SheetButtons amount={link.amount} isReady={() => true} onCard={() => pay(token)} /><CardFields isOwnCart={false} /></>;
  return (
    <form noValidate onSubmit={(event) => void submit(event)}>
      <Page>
        <Asked />
        {(error || link.hasFailed) && <Problems>{error || LINK_FAILED}</Problems>}
        <Card title="How do you want to pay?">
          <RadioCards
            legend="Payment mode" quietLegend value={mode} error={missing && mode === null ? MODE_MISSING : undefined} onChange={(id) => { setMode(id); setMissing(false); }}
            options={link.options.map((option) => ({ value: option.id as string, title: option.label, detail: option.about, icon: <ModeIcon mode={option.id} />, ...(option.id === 'CARD' && mode === 'CARD' ? { below: card } : {}) }))}
          />
        </Card>
      </Page>
      <BottomBar label="Pay" action={<Button type="submit" full busy={isBusy || isCardBusy} disabled={isOffline}>{isOffline ? 'You are offline' : <>Pay <Price amount={link.amount} /></>}</Button>}>
        <span role="status">
          <Countdown key={link.expiresAt} endsAtMs={link.expiresAt} nowMs={() => Date.now() + aheadMs} text={(time) => <>This link works for {time}.</>} expired={LINK_OVER} onExpire={() => void load(token)} />
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
  const load = useSetAtom(payLinkState.load);
  const origin = useAtomValue(originAtom);
  const page = step?.kind === 'redirect' || step?.kind === 'paytm' ? step.paymentUrl : null;
  return (
    <>
      {step?.kind === 'upi' && (
        <Card>
          <UpiWays
            step={step} origin={origin} vpa={vpa} error={vpaError} isSent={isSent} onVpa={setVpa}
            onCollect={async () => {
              setVpaError('');
              await collect(token, vpa.trim()).then(() => setSent(true), (thrown: unknown) => setVpaError(sentenceOf(thrown)));
            }}
          />
        </Card>
      )}
      {page !== null && (
        <Card>
          <Column>
            <p>You finish this payment on the page of {step?.kind === 'paytm' ? 'Paytm' : 'the bank'} and come back here by yourself.</p>
            <Button full href={origin + page} data-leave>{step?.kind === 'paytm' ? 'Continue to Paytm' : 'Go to the bank'}</Button>
          </Column>
        </Card>
      )}
      <Button kind="secondary" onClick={() => void load(token)}>I have paid: check now</Button>
      <Button kind="quiet" onClick={leave}>Pay in another way</Button>
    </>
  );
}
