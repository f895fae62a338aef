import { useState } from 'react';
import * as vouchers from '../contract/vouchers.ts';
import * as wallet from '../contract/wallet.ts';
import { money } from '../contract/money.ts';
import { formatMoney } from '../domain/money.ts';
import { Button } from '../ui/forms/Button.tsx';
import { Field } from '../ui/forms/Field.tsx';
import { Plate } from './Plate.tsx';
import type { Phone } from './phones.ts';
import { ask } from './server.ts';
import css from './Panel.module.css';

const AMOUNT = money(50_000);

/** Money to try out where the phone's app can spend it: into a customer's wallet, and on new e-vouchers. */
export function MoneyPlate({ phone: { country, apiKey: key, hasWallet } }: { phone: Phone }) {
  const [mobile, setMobile] = useState('');
  const [said, setSaid] = useState('');
  const [isBusy, setBusy] = useState(false);
  const amount = formatMoney(AMOUNT, country);
  const run = (work: () => Promise<string>) => async () => {
    setBusy(true);
    setSaid(await work().catch((thrown: Error) => thrown.message));
    setBusy(false);
  };
  const credit = run(async () => {
    const { balance } = await ask(wallet.credit, { body: { mobile, amount: AMOUNT } }, key);
    return `The wallet holds ${formatMoney(balance, country)} now.`;
  });
  const issue = run(async () => {
    const body = { amount: AMOUNT, ...(mobile.trim() !== '' && { mobile }) };
    const { number, pin } = await ask(vouchers.issue, { body }, key);
    return `E-voucher ${number.replace(/(.{4})(?=.)/g, '$1 ')}, pin ${pin}`;
  });
  return (
    <Plate title="Money to try out">
      <Field
        label={hasWallet ? 'Mobile number of somebody who has logged in' : 'Mobile number (for a new pin)'}
        type="tel"
        inputMode="tel"
        autoComplete="off"
        prefix={country.dialPrefix}
        value={mobile}
        onChange={(event) => setMobile(event.target.value)}
      />
      <div className={css.buttons}>
        {hasWallet && (
          <Button kind="secondary" small busy={isBusy} onClick={() => void credit()}>
            {amount} into the wallet
          </Button>
        )}
        <Button kind="secondary" small busy={isBusy} onClick={() => void issue()}>
          A new e-voucher of {amount}
        </Button>
      </div>
      <p role="status">{said}</p>
    </Plate>
  );
}
