import { useEffect, useRef, useState } from 'react';
import { Button } from '../ui/forms/Button.tsx';
import { Inbox } from './Inbox.tsx';
import { MoneyPlate } from './MoneyPlate.tsx';
import { PhoneFrame } from './PhoneFrame.tsx';
import { PhonePlate } from './PhonePlate.tsx';
import { addressOf, phones } from './phones.ts';
import { OFF } from './server.ts';
import { BankPlate, ClockPlate, TroublePlate } from './ServerPlates.tsx';
import { ShopPlate } from './ShopPlate.tsx';
import { deviations, usePhones, type PhoneActions } from './usePhones.ts';
import { useServer, useShopTime } from './useServer.ts';
import css from './Simulator.module.css';

const SWITCH_NAMES = { bankOutcome: 'bank', faults: 'line', offlineStores: 'shops offline', soldOut: 'sold out' };

/** The simulator: phones side by side with the shipped bundles inside, and switches for everything around them. */
export function Simulator() {
  const { states, actionsOf } = usePhones();
  const { server, serverActions } = useServer();
  const now = useShopTime(server.aheadMs);
  const [chosenId, setChosenId] = useState(phones[0]!.id);
  const chosen = phones.find(({ id }) => id === chosenId) ?? phones[0]!;
  const row = useRef<HTMLDivElement>(null);
  const actions = Object.fromEntries(phones.map((phone) => [phone.id, actionsOf(phone)] as const)) as Readonly<
    Record<string, PhoneActions>
  >;

  // A tap inside a frame is not heard here; that the frame now has the focus is.
  useEffect(() => {
    const onBlur = () =>
      setTimeout(() => {
        const phone = document.activeElement?.matches('iframe') && document.activeElement.closest('article')?.id;
        if (phone) setChosenId(phone);
      });
    addEventListener('blur', onBlur);
    return () => removeEventListener('blur', onBlur);
  }, []);

  const goTo = (id: string) => {
    setChosenId(id);
    const target = document.getElementById(id);
    const list = row.current;
    // Sideways only: the page itself must not jump.
    if (target && list)
      list.scrollTo({
        left: target.offsetLeft - list.offsetLeft - (list.clientWidth - target.clientWidth) / 2,
        behavior: 'smooth',
      });
  };

  const isOpen = server.mode === 'there' || server.mode === 'away';
  const unusual = [
    ...Object.entries(SWITCH_NAMES)
      .filter(([name]) => JSON.stringify(Reflect.get(server.switches, name)) !== JSON.stringify(Reflect.get(OFF, name)))
      .map(([, text]) => text),
    ...phones.flatMap((phone) => deviations(phone, states[phone.id]!).map((text) => `${phone.name}: ${text}`)),
  ];
  const reset = () => {
    for (const { id } of phones) actions[id]!.reset();
    if (isOpen) serverActions.change(OFF);
  };
  const shown = { server, actions: serverActions };
  const { COUNTRY_CODE, locale } = chosen.country;

  return (
    <>
      <a className="skip-link" href="#phones">
        Skip to the phones
      </a>
      <div className={css.fit}>
        <header className={css.head}>
          <h1>One pizza shop, all its apps on this page</h1>
          <p>
            Real apps on a real server: only the phones and payment apps around them are imitated. Codes arrive under
            Messages, and no money moves.
          </p>
        </header>
        <div className={css.strips} role="status">
          {server.mode === 'away' && (
            <p>
              The server does not answer. Is it still running? Looking again every few seconds.{' '}
              <Button kind="quiet" small onClick={serverActions.retry}>
                Look now
              </Button>
            </p>
          )}
          {server.mode === 'closed' && (
            <p>
              This server runs in production: its clock, its bank and its messages cannot be touched from here. The
              phones below are all yours.
            </p>
          )}
          {server.error !== null && (
            <p>
              {server.error}{' '}
              <Button kind="quiet" small onClick={serverActions.dismissError}>
                All right
              </Button>
            </p>
          )}
        </div>
        <main className={css.page}>
          <section className={css.stage} id="phones" aria-labelledby="phones-title" tabIndex={-1}>
            <h2 id="phones-title" className="visually-hidden">
              Phones
            </h2>
            <nav className={css.tabs} aria-label="Choose a phone">
              {phones.map(({ id, name }) => (
                <button key={id} type="button" aria-pressed={id === chosen.id} onClick={() => goTo(id)}>
                  {name}
                </button>
              ))}
            </nav>
            <div className={css.row} ref={row}>
              {phones.map((phone) => (
                <PhoneFrame
                  key={phone.id}
                  phone={phone}
                  state={states[phone.id]!}
                  actions={actions[phone.id]!}
                  now={now}
                  isChosen={phone.id === chosen.id}
                  onChoose={() => setChosenId(phone.id)}
                />
              ))}
            </div>
          </section>
          <div className={css.panel} role="region" aria-label="Controls" tabIndex={0}>
            {unusual.length > 0 && (
              <div className={css.unusual}>
                <b>{unusual.length} not as usual</b>
                <ul>
                  {unusual.map((text) => (
                    <li key={text}>{text}</li>
                  ))}
                </ul>
                <Button kind="secondary" small onClick={reset}>
                  Reset everything
                </Button>
              </div>
            )}
            {isOpen && (
              <>
                <Inbox messages={server.messages} locale={locale} />
                <ClockPlate phone={chosen} now={now} {...shown} />
              </>
            )}
            <PhonePlate phone={chosen} state={states[chosen.id]!} actions={actions[chosen.id]!} onChoose={goTo} />
            {isOpen && (
              <>
                <BankPlate {...shown} />
                {chosen.hasVouchers && <MoneyPlate key={`${COUNTRY_CODE} money`} phone={chosen} />}
                <TroublePlate {...shown} />
                <ShopPlate key={COUNTRY_CODE} phone={chosen} {...shown} />
              </>
            )}
          </div>
        </main>
      </div>
      <footer className={css.foot}>
        {phones.map((phone) => (
          <a key={phone.id} href={addressOf(phone, phone.app !== null)}>
            {phone.name} alone
          </a>
        ))}
        <a href="simulator/partner.html">In somebody else’s page</a>
        <a href="openapi.json">The interface</a>
      </footer>
    </>
  );
}
