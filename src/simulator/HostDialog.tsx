import {
  useEffect,
  useEffectEvent,
  useId,
  useRef,
  useState,
  type CSSProperties,
  type KeyboardEvent,
  type ReactNode,
} from 'react';
import { CardIcon, HomeIcon, PhoneIcon, PinIcon, ShareIcon, UserIcon } from '../ui/icons.ts';
import type { Phone } from './phones.ts';
import type { OpenSheet, SheetName } from './protocol.ts';
import css from './HostDialog.module.css';

interface Words {
  readonly icon: ReactNode;
  readonly title: (phone: Phone) => string;
  /** Choices in words; the first is the one that goes on, the others stand below it. */
  readonly choices: Readonly<Record<string, string>>;
  /** What Escape means. */
  readonly away: string;
}

const WORDS: Readonly<Record<SheetName, Words>> = {
  login: {
    icon: <UserIcon />,
    title: ({ country }) => `Share your profile with ${country.appName}?`,
    choices: { grant: 'Share and continue', deny: 'Not now', silent: 'Never answer' },
    away: 'deny',
  },
  phone: {
    icon: <PhoneIcon />,
    title: ({ country }) => `Share your phone number with ${country.appName}?`,
    choices: { grant: 'Share number', deny: 'Not now', silent: 'Never answer' },
    away: 'deny',
  },
  location: {
    icon: <PinIcon />,
    title: ({ country }) => `May ${country.appName} know where this phone is?`,
    choices: { grant: 'Allow', deny: 'Do not allow', timeout: 'Stay without an answer' },
    away: 'deny',
  },
  payment: {
    icon: <CardIcon />,
    title: () => 'Confirm your payment',
    away: 'cancel',
    choices: {
      success: 'Pay',
      failure: 'Decline',
      pending: 'Leave pending',
      cancel: 'Close without paying',
      'no-reply': 'Pay, no reply',
      duplicate: 'Pay twice',
      unknown: 'Pay, unclear reply',
      closed: 'Close, no reply',
      late: 'Pay, late reply',
    },
  },
  address: {
    icon: <HomeIcon />,
    title: () => 'Deliver to a saved address?',
    choices: { pick: 'Use my home address', dismiss: 'Close', silent: 'Never answer' },
    away: 'dismiss',
  },
  share: {
    icon: <ShareIcon />,
    title: () => 'Share with a friend',
    choices: { share: 'Share', dismiss: 'Close' },
    away: 'dismiss',
  },
  shortcut: {
    icon: <HomeIcon />,
    title: () => 'Add to the home screen?',
    choices: { add: 'Add', dismiss: 'Cancel' },
    away: 'dismiss',
  },
};

const textOf = (value: unknown) => (typeof value === 'string' || typeof value === 'number' ? String(value) : '');

function Facts({ rows }: { rows: readonly (readonly [string, string])[] }) {
  return (
    <dl className={css.facts}>
      {rows
        .filter(([, value]) => value !== '')
        .map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}

function About({ sheet, phone, account }: { sheet: OpenSheet; phone: Phone; account: string }) {
  const { detail } = sheet;
  switch (sheet.sheet) {
    case 'login':
      return (
        <Facts
          rows={[
            ['Account', account],
            ['Shares', 'Name and an id for this shop'],
          ]}
        />
      );
    case 'phone':
      return (
        <Facts
          rows={[
            ['Account', account],
            ['Shares', 'The number of this account'],
          ]}
        />
      );
    case 'location':
      return <p className={css.about}>Used to find the nearest shop.</p>;
    case 'payment':
      return (
        <>
          <p className={css.amount}>
            {phone.country.CURRENCY_SYMBOL}
            {textOf(detail['amount'])}
          </p>
          <Facts
            rows={[
              ['To', textOf(detail['payee'])],
              ['Reference', textOf(detail['reference'])],
              ['From', account],
            ]}
          />
        </>
      );
    case 'address':
      return <p className={css.about}>The payment app offers the address it keeps as home.</p>;
    case 'share':
      return (
        <Facts
          rows={[
            ['Title', textOf(detail['title'])],
            ['Text', textOf(detail['text'])],
            ['Link', textOf(detail['url'])],
          ]}
        />
      );
    case 'shortcut':
      return <Facts rows={[['Name', textOf(detail['label']) || phone.country.appName]]} />;
  }
}

interface HostSheetProps {
  readonly phone: Phone;
  readonly sheet: OpenSheet;
  readonly account: string;
  /** Takes the focus; only the phone in use may do so. */
  readonly takesFocus: boolean;
  readonly onAnswer: (choice: string) => void;
  readonly onDone: () => void;
}

/** A native sheet of the host, drawn over the app as the payment app would: the app waits until it is answered. */
export function HostDialog({ phone, sheet, account, takesFocus, onAnswer, onDone }: HostSheetProps) {
  const id = useId();
  const place = useRef<HTMLDivElement>(null);
  const { icon, title, choices, away } = WORDS[sheet.sheet];
  const heading = title(phone);
  // Only when it opens and when it goes: in between the focus is the person's.
  const [tookFocus] = useState(takesFocus);
  const done = useEffectEvent(onDone);
  useEffect(() => {
    if (!tookFocus) return;
    place.current?.querySelector('h4')?.focus({ preventScroll: true });
    return () => done();
  }, [tookFocus]);
  const offered = Object.keys(choices).filter((choice) => sheet.choices.includes(choice));
  const [first, second, ...rest] = offered;
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && sheet.choices.includes(away)) onAnswer(away);
  };
  const label = (choice: string) =>
    choice === 'success' ? `Pay ${phone.country.CURRENCY_SYMBOL}${textOf(sheet.detail['amount'])}` : choices[choice];
  return (
    <div className={css.veil}>
      <div
        className={css.sheet}
        style={phone.app === null ? {} : ({ '--host': phone.app.colour, '--host-ink': phone.app.ink } as CSSProperties)}
        role="dialog"
        aria-labelledby={id}
        ref={place}
        onKeyDown={onKeyDown}
      >
        <p className={css.owner}>{phone.app === null ? 'This phone asks' : phone.app.name}</p>
        <span className={css.icon}>{icon}</span>
        <h4 id={id} tabIndex={-1}>
          {heading}
        </h4>
        <About sheet={sheet} phone={phone} account={account} />
        <div className={css.main}>
          {first !== undefined && (
            <button type="button" data-main onClick={() => onAnswer(first)}>
              {label(first)}
            </button>
          )}
          {second !== undefined && (
            <button type="button" onClick={() => onAnswer(second)}>
              {label(second)}
            </button>
          )}
        </div>
        {rest.length > 0 && (
          <div className={css.rest} role="group" aria-label="Less usual answers">
            {rest.map((choice) => (
              <button key={choice} type="button" onClick={() => onAnswer(choice)}>
                {label(choice)}
              </button>
            ))}
          </div>
        )}
      </div>
    </div>
  );
}
