import { useEffect, useMemo, useRef, useState } from 'react';
import { ClockIcon, DeviceIcon, StoreIcon } from '../ui/icons.ts';
import { BankPlate } from './BankPlate.tsx';
import { ClockPlate, secondsToLunch } from './ClockPlate.tsx';
import { Foot } from './Foot.tsx';
import { Group } from './Group.tsx';
import { Hero } from './Hero.tsx';
import { Inbox } from './Inbox.tsx';
import { MailIcon } from './MailIcon.tsx';
import { PhoneFrame } from './PhoneFrame.tsx';
import { MoneyPlate } from './MoneyPlate.tsx';
import { PhonePlate } from './PhonePlate.tsx';
import { phones } from './phones.ts';
import { OFF, TROUBLES, troubleOf } from './server.ts';
import { ShopPlate } from './ShopPlate.tsx';
import { TroublePlate } from './TroublePlate.tsx';
import { deviations, usePhones } from './usePhones.ts';
import { useClosed } from './useClosed.ts';
import { useServer, useShopTime, type ServerState } from './useServer.ts';
import css from './Simulator.module.css';

/** Everything on the server that is not as it was at the start, in words. */
function serverDeviations({ switches }: ServerState): string[] {
  const { bankOutcome, faults, offlineStores, soldOut } = switches;
  const trouble = troubleOf(faults);
  return [
    ...(bankOutcome === null ? [] : [`bank: ${bankOutcome.replaceAll('-', ' ')}`]),
    ...(trouble === TROUBLES[0] ? [] : [`line: ${trouble?.title.toLowerCase() ?? 'own faults'}`]),
    ...(offlineStores.length === 0
      ? []
      : [`${offlineStores.length} ${offlineStores.length === 1 ? 'shop' : 'shops'} offline`]),
    ...(soldOut.length === 0 ? [] : [`${soldOut.length} sold out`]),
  ];
}

/** The simulator: phones side by side with the shipped bundles inside, and switches for everything around them. */
export function Simulator() {
  const { states, actions } = usePhones();
  const { server, serverActions } = useServer();
  const now = useShopTime(server.aheadMs);
  const [chosenId, setChosenId] = useState(phones[0]!.id);
  const chosen = phones.find(({ id }) => id === chosenId) ?? phones[0]!;
  const row = useRef<HTMLDivElement>(null);

  // A tap inside a frame is not heard here; that the frame now has the focus is.
  useEffect(() => {
    const onBlur = () =>
      setTimeout(() => {
        const phone =
          document.activeElement instanceof HTMLIFrameElement
            ? document.activeElement.closest('article')?.id
            : undefined;
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
  const isClosed = useClosed(chosen, server.mode === 'there', server.offsetMs);
  const unusual = useMemo(
    () => [
      ...serverDeviations(server),
      ...phones.flatMap((phone) => deviations(phone, states[phone.id]!).map((text) => `${phone.name}: ${text}`)),
    ],
    [server, states],
  );
  const reset = () => {
    for (const { id } of phones) actions.calm(id);
    if (isOpen) serverActions.change(OFF);
  };

  return (
    <>
      <a className="skip-link" href="#phones">
        Skip to the phones
      </a>
      <div className={css.fit}>
        <Hero />
        <div className={css.strips} role="status">
          {server.mode === 'away' && (
            <p className={css.strip} data-tone="red">
              The server does not answer. Is it still running? Looking again every few seconds.{' '}
              <button type="button" onClick={serverActions.retry}>
                Look now
              </button>
            </p>
          )}
          {server.mode === 'closed' && (
            <p className={css.strip} data-tone="sun">
              This server runs in production: its clock, its bank and its messages cannot be touched from here. The
              phones below are all yours.
            </p>
          )}
          {isOpen && isClosed && (
            <p className={css.strip} data-tone="sun">
              Most shops in {chosen.country.label} are closed at this hour.{' '}
              <button
                type="button"
                disabled={server.busy === 'clock'}
                onClick={() => serverActions.advance(secondsToLunch(now, chosen.country.timeZone))}
              >
                Push their clock to lunch
              </button>
            </p>
          )}
          {server.error !== null && (
            <p className={css.strip} data-tone="red">
              {server.error}{' '}
              <button type="button" onClick={serverActions.dismissError}>
                All right
              </button>
            </p>
          )}
        </div>
        <main className={css.page} data-alone={server.mode === 'closed'}>
          <section className={css.stage} id="phones" aria-labelledby="phones-title" tabIndex={-1}>
            <h2 id="phones-title" className="visually-hidden">
              Phones
            </h2>
            <nav className={css.tabs} aria-label="Choose a phone">
              {phones.map((phone) => (
                <button
                  key={phone.id}
                  type="button"
                  aria-pressed={phone.id === chosen.id}
                  onClick={() => goTo(phone.id)}
                >
                  <i data-power={states[phone.id]!.power} />
                  {phone.shortName}
                </button>
              ))}
            </nav>
            <div className={css.row} ref={row}>
              {phones.map((phone) => (
                <PhoneFrame
                  key={phone.id}
                  phone={phone}
                  state={states[phone.id]!}
                  actions={actions}
                  now={now}
                  isChosen={phone.id === chosen.id}
                  isShown={phone.id === chosen.id}
                  notice={phone.id === chosen.id ? server.notice : null}
                  onChoose={() => setChosenId(phone.id)}
                  onNoticeDone={serverActions.dismissNotice}
                />
              ))}
            </div>
          </section>
          <div className={css.panel} role="region" aria-label="Controls" tabIndex={0}>
            {isOpen && (
              <nav className={css.groups} aria-label="Switches">
                <a href="#now">Messages, time</a>
                <a href="#device">Phone</a>
                <a href="#payments">Payments</a>
                <a href="#wrong">Trouble</a>
              </nav>
            )}
            {unusual.length > 0 && (
              <div className={css.unusual}>
                <p>
                  <b>{unusual.length === 1 ? 'One thing is' : `${unusual.length} things are`} not as usual</b>
                </p>
                <ul>
                  {unusual.map((text) => (
                    <li key={text}>{text}</li>
                  ))}
                </ul>
                <button type="button" onClick={reset}>
                  Reset everything
                </button>
              </div>
            )}
            {isOpen && (
              <Group id="now" title="Messages and time">
                <Inbox messages={server.messages} newIds={server.newIds} locale={chosen.country.locale} />
                <ClockPlate phone={chosen} now={now} server={server} actions={serverActions} />
              </Group>
            )}
            <Group id="device" title="The phone and its app">
              <PhonePlate phone={chosen} state={states[chosen.id]!} actions={actions} onChoose={goTo} />
            </Group>
            {isOpen && (
              <Group id="payments" title="Payments">
                <BankPlate server={server} actions={serverActions} />
                <MoneyPlate key={chosen.country.COUNTRY_CODE} phone={chosen} />
              </Group>
            )}
            {isOpen && (
              <Group id="wrong" title="What goes wrong">
                <TroublePlate server={server} actions={serverActions} />
                <ShopPlate phone={chosen} server={server} actions={serverActions} />
              </Group>
            )}
          </div>
        </main>
      </div>
      <Foot />
      <nav className={css.dock} aria-label="On this page">
        <a href="#phones">
          <DeviceIcon size={22} />
          Phone
        </a>
        {isOpen && (
          <a href="#messages">
            <MailIcon size={22} />
            Messages
            {server.newIds.size > 0 && (
              <b>
                <span className="visually-hidden">, new: </span>
                {server.newIds.size}
              </b>
            )}
          </a>
        )}
        {isOpen && (
          <a href="#clock">
            <ClockIcon size={22} />
            Clock
          </a>
        )}
        <a href="#phone">
          <StoreIcon size={22} />
          Switches
        </a>
      </nav>
    </>
  );
}
