import * as t from '#text/payment.ts';
import { lazy, Suspense, useState } from 'react';
import { loadChunk } from '../bridge/scripts.ts';
import type { PaymentChoice, PaymentStep } from '../contract/payments.ts';
import { addressAt } from '../domain/addressAt.ts';
import { Button } from './Button.tsx';
import { Field } from './Field.tsx';
import { Skeleton } from './Skeleton.tsx';
import css from './UpiWays.module.css';

const QrCode = lazy(() => loadChunk(() => import('./QrCode.tsx')));

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

/**
 * The app on this device, a QR code for another one, or a request to a UPI id. A phone shows the app first, a computer
 * the QR code.
 */
export function UpiWays({ step, app, origin, vpa, error, isSent, onVpa, onCollect }: UpiWaysProps) {
  const [isBusy, setBusy] = useState(false);
  return (
    <div className={css.ways}>
      <div className={css.qr}>
        <Suspense fallback={<Skeleton width="13rem" height="13rem" />}>
          <QrCode text={step.link} label={t.upiCode} />
        </Suspense>
        <p>{t.upiScan}</p>
      </div>
      <div className={css.form}>
        <div className={css.app}>
          {app?.link !== undefined && (
            <Button full href={app.link + new URL(step.link).search}>
              {t.upiOpenApp({ name: app.label })}
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
        {step.payerUrl !== undefined && (
          <Button full kind="quiet" href={addressAt(origin, step.payerUrl)} data-leave>
            {t.upiBank}
          </Button>
        )}
      </div>
    </div>
  );
}
