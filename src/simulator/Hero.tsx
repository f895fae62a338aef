import { counted, countryNames, phones } from './phones.ts';
import css from './Hero.module.css';

const STEPS = [
  { title: 'Pick a phone', text: 'each runs the real app', href: '#phones' },
  { title: 'Order a pizza', text: 'codes arrive under Messages, and no money moves', href: '#messages' },
  { title: 'Watch it arrive', text: 'push the shop’s clock forward', href: '#clock' },
] as const;

/** What this is, in one sentence and three steps. */
export function Hero() {
  return (
    <header className={css.hero}>
      <h1>One pizza shop, {counted(phones.length, 'app')}, all on this page</h1>
      <p>
        Real apps on a real server: only the phones and payment apps around them are imitated. Order in{' '}
        {new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(countryNames)}, and break whatever you like.
      </p>
      <ol>
        {STEPS.map(({ title, text, href }) => (
          <li key={title}>
            <a href={href}>
              <span>
                <b>{title}</b>: {text}
              </span>
            </a>
          </li>
        ))}
      </ol>
    </header>
  );
}
