import { useState, type FormEvent } from 'react';
import * as vouchers from '../contract/vouchers.ts';
import * as wallet from '../contract/wallet.ts';
import { money } from '../contract/money.ts';
import { formatMoney } from '../domain/money.ts';
import { Button } from '../ui/Button.tsx';
import { Field } from '../ui/Field.tsx';
import { WalletIcon } from '../ui/icons.ts';
import { Plate } from './Plate.tsx';
import type { Phone } from './phones.ts';
import { ask } from './server.ts';
import css from './MoneyPlate.module.css';

const AMOUNT = money(50_000);

/** Money to try out: into a customer's wallet, and on new e-vouchers; where an app cannot spend it, why not. */
export function MoneyPlate({ phone }: { phone: Phone }) {
  const { country, app, apiKey: key, hasWallet, hasVouchers } = phone;
  const [mobile, setMobile] = useState('');
  const [said, setSaid] = useState('');
  const [isBusy, setBusy] = useState(false);
  if (!hasVouchers) {
    return (
      <Plate
        id="money"
        icon={<WalletIcon size={20} />}
        title="Money to try out"
        about={
          app !== null
            ? `${app.name} allows its own payment only. A wallet and e-vouchers are for the phone with the browser.`
            : `Neither a wallet nor e-vouchers are offered in ${country.label}.`
        }
      />
    );
  }
  const amount = formatMoney(AMOUNT, country);
  const run = async (work: () => Promise<string>) => {
    if (isBusy) return;
    setBusy(true);
    setSaid('');
    try {
      setSaid(await work());
    } catch (thrown) {
      setSaid((thrown as Error).message);
    } finally {
      setBusy(false);
    }
  };
  const credit = (event: FormEvent) => {
    event.preventDefault();
    void run(
      async () =>
        `The wallet holds ${formatMoney((await ask(wallet.credit, { body: { mobile, amount: AMOUNT } }, key)).balance, country)} now.`,
    );
  };
  const issue = () =>
    void run(async () => {
      const { number, pin } = await ask(
        vouchers.issue,
        { body: { amount: AMOUNT, ...(mobile.trim() === '' ? {} : { mobile }) } },
        key,
      );
      return `E-voucher ${number.replace(/(.{4})(?=.)/g, '$1 ')}, pin ${pin}`;
    });
  return (
    <Plate
      id="money"
      icon={<WalletIcon size={20} />}
      title="Money to try out"
      about={
        hasWallet ? 'Into the wallet of somebody who has logged in, or on a new e-voucher.' : 'On a new e-voucher.'
      }
    >
      <form className={css.form} noValidate onSubmit={credit}>
        <Field
          label={hasWallet ? 'Mobile number' : 'Mobile number (for a new pin)'}
          type="tel"
          inputMode="tel"
          autoComplete="off"
          prefix={country.dialPrefix}
          value={mobile}
          onChange={(event) => setMobile(event.target.value)}
        />
        <div className={css.actions}>
          {hasWallet && (
            <Button type="submit" kind="secondary" small busy={isBusy}>
              {amount} into the wallet
            </Button>
          )}
          <Button kind="secondary" small busy={isBusy} onClick={issue}>
            A new e-voucher of {amount}
          </Button>
        </div>
        <p className={css.said} role="status">
          {said}
        </p>
      </form>
    </Plate>
  );
}
