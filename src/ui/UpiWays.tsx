import * as t from '#text/payment.ts';
import { lazy, Suspense, useEffect, useRef, useState, type RefObject } from 'react';
import { loadChunk } from '../bridge/scripts.ts';
import type { PaymentChoice, PaymentStep } from '../contract/payments.ts';
import { addressAt } from '../domain/addressAt.ts';
import { Button } from './forms/Button.tsx';
import { Field } from './forms/Field.tsx';
import { Fold } from './Fold.tsx';
import { Logo } from './pictures/Logo.tsx';
import { Skeleton } from './page/Skeleton.tsx';
import css from './UpiWays.module.css';

const QrCode = lazy(() => loadChunk(() => import('./pictures/QrCode.tsx')));

interface UpiWaysProps {
  step: Extract<PaymentStep, { kind: 'upi' }>;
  /** The app that the customer has chosen; null: the device asks which. */
  app: PaymentChoice | null;
  origin: string;
  vpa: string;
  error: string;
  isSent: boolean;
  onVpa: (vpa: string) => void;
  onCollect: () => Promise<void>;
}

/** In the hand, where an app opens at once; a computer has none. */
const isInHand = () => matchMedia('(pointer: coarse)').matches;

function Code({ link }: { link: string }) {
  return (
    <div className={css.qr}>
      <Suspense fallback={<Skeleton width="13rem" height="13rem" />}>
        <QrCode text={link} label={t.upiCode} />
      </Suspense>
      <p>{t.upiScan}</p>
    </div>
  );
}

/** The chosen app opens as the answer to the tap that chose to pay: a page that was loaded anew, or come back to, opens none. */
function useAppOpened(address: string | undefined): RefObject<HTMLDivElement | null> {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // Not known to older engines: there the button is tapped.
    const { userActivation } = navigator as Partial<Navigator>;
    if (address !== undefined && isInHand() && userActivation?.isActive === true)
      place.current?.querySelector('a')?.click();
  }, [address]);
  return place;
}

/**
 * The app on this device, a request to a UPI id, a QR code for another device, or the bank's page. A phone shows its
 * app first and the code when it is asked for, a computer the code.
 */
export function UpiWays({ step, app, origin, vpa, error, isSent, onVpa, onCollect }: UpiWaysProps) {
  const [isBusy, setBusy] = useState(false);
  const [isPhone] = useState(isInHand);
  const [isCodeShown, showCode] = useState(false);
  const address = app?.link === undefined ? undefined : app.link + new URL(step.link).search;
  const opened = useAppOpened(address);
  return (
    <div className={css.ways} data-coded={!isPhone || undefined}>
      {!isPhone && <Code link={step.link} />}
      <div className={css.form}>
        <div className={css.app} ref={opened}>
          <p>{t.upiNext}</p>
          {app !== null && address !== undefined && (
            <Button full href={address}>
              <Logo id={app.id} />
              <span>{t.upiOpenApp({ name: app.label })}</span>
            </Button>
          )}
          <Button full href={step.link} kind={app?.link === undefined ? 'primary' : 'quiet'}>
            {t.upiOpen}
          </Button>
        </div>
        <form
          className={css.form}
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            if (isBusy) return;
            setBusy(true);
            void onCollect().finally(() => setBusy(false));
          }}
        >
          <Field
            label={t.upiRequest}
            placeholder="name@bank"
            name="upi-id"
            inputMode="email"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            enterKeyHint="send"
            maxLength={80}
            value={vpa}
            error={error || undefined}
            onChange={(event) => onVpa(event.target.value)}
          />
          <Button type="submit" full kind="secondary" busy={isBusy}>
            {t.upiSend}
          </Button>
          {isSent && <p role="status">{t.upiSent}</p>}
        </form>
        {isPhone && (
          <Fold title={t.upiElsewhere} isOpen={isCodeShown} onToggle={showCode}>
            <Code link={step.link} />
          </Fold>
        )}
        {step.payerUrl !== undefined && (
          <Button full kind="quiet" href={addressAt(origin, step.payerUrl)} data-leave>
            {t.upiBank}
          </Button>
        )}
      </div>
    </div>
  );
}
