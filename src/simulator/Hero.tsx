import { BagIcon } from '../ui/icons/BagIcon.tsx';
import { PinIcon } from '../ui/icons/PinIcon.tsx';
import { ScooterIcon } from '../ui/icons/ScooterIcon.tsx';
import { DrawnPicture } from '../ui/DrawnPicture.tsx';
import { counted, countryNames, phones } from './phones.ts';
import { PIZZA } from './pizza.ts';
import css from './Hero.module.css';

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

const STEPS = [
  {
    icon: <PinIcon size={22} />,
    title: 'Pick a phone',
    text: `${capital(counted(phones.length, 'app'))}, ${counted(countryNames.length, 'country', 'countries')}. Each phone below runs the real one.`,
    href: '#phones',
  },
  {
    icon: <BagIcon size={22} />,
    title: 'Order a pizza',
    text: 'Codes arrive under Messages. Pay as you like: no money moves.',
    href: '#messages',
  },
  {
    icon: <ScooterIcon size={22} />,
    title: 'Watch it arrive',
    text: 'Do not wait 24 minutes: push the shop’s clock forward.',
    href: '#clock',
  },
] as const;

/** What this is, in one sentence and three steps. */
export function Hero() {
  return (
    <header className={css.hero}>
      <div className={css.inside}>
        <div className={css.words}>
          <p className={css.eyebrow}>Golden Oven Pizza, live</p>
          <h1>One pizza shop, {counted(phones.length, 'app')}, all on this page</h1>
          <p className={css.lead}>
            Real apps on a real server: only the phones and payment apps around them are imitated. Order in{' '}
            {new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(countryNames)}, and break whatever you like.
          </p>
        </div>
        <ol className={css.steps}>
          {STEPS.map(({ icon, title, text, href }, at) => (
            <li key={title}>
              <a href={href}>
                <span className={css.number} aria-hidden>
                  {at + 1}
                </span>
                <span className={css.step}>
                  <span className={css.title}>
                    {icon}
                    {title}
                  </span>
                  <span className={css.text}>{text}</span>
                </span>
              </a>
            </li>
          ))}
        </ol>
        <div className={css.pizza} aria-hidden>
          <DrawnPicture subjects={[{ pizza: PIZZA }]} />
        </div>
      </div>
    </header>
  );
}
