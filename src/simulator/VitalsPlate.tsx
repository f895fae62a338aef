import { useEffect, useEffectEvent, useState } from 'react';
import * as development from '../contract/development.ts';
import type { Reply } from '../contract/endpoint.ts';
import { FlameIcon } from '../ui/icons/FlameIcon.tsx';
import { Plate } from './Plate.tsx';
import type { Phone } from './phones.ts';
import { ask } from './server.ts';
import css from './VitalsPlate.module.css';

type Vital = Reply<typeof development.vitals>['vitals'][number];

/** Up to here a figure is good, and from there on poor (web.dev/articles/vitals); ms, of CLS thousandths. */
const BOUNDS: Readonly<Record<Vital['metric'], readonly [good: number, poor: number]>> = {
  LCP: [2_500, 4_000],
  INP: [200, 500],
  CLS: [100, 250],
  TTFB: [800, 1_800],
};
const MEANING: Readonly<Record<Vital['metric'], string>> = {
  LCP: 'largest picture or text',
  INP: 'answer to a tap',
  CLS: 'how much has moved',
  TTFB: 'first byte',
};
const ORDER = ['LCP', 'INP', 'CLS', 'TTFB'] as const;

const shown = (metric: Vital['metric'], value: number) =>
  metric === 'CLS' ? (value / 1000).toFixed(3) : value < 1000 ? `${value} ms` : `${(value / 1000).toFixed(1)} s`;

function verdict({ metric, p75 }: Vital): string {
  const [good, poor] = BOUNDS[metric];
  return p75 <= good ? 'good' : p75 <= poor ? 'fair' : 'poor';
}

/** A country's bundle on a kind of network. */
const groupOf = ({ country, host, network }: Vital) =>
  `${country} ${host}, ${network === 'unknown' ? 'network not told' : `on ${network}`}`;

function Figures({ name, vitals }: { name: string; vitals: readonly Vital[] }) {
  return (
    <table className={css.figures}>
      <caption>{name}</caption>
      <thead>
        <tr>
          <th scope="col">Figure</th>
          <th scope="col">50 %</th>
          <th scope="col">75 %</th>
          <th scope="col">95 %</th>
          <th scope="col">Visits</th>
        </tr>
      </thead>
      <tbody>
        {ORDER.flatMap((metric) => vitals.filter((one) => one.metric === metric)).map((one) => (
          <tr key={one.metric}>
            <th scope="row">
              <abbr title={MEANING[one.metric]}>{one.metric}</abbr> <span data-is={verdict(one)}>{verdict(one)}</span>
            </th>
            <td>{shown(one.metric, one.p50)}</td>
            <td>
              <b>{shown(one.metric, one.p75)}</b>
            </td>
            <td>{shown(one.metric, one.p95)}</td>
            <td>{one.n}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** How fast the bundles were, as visitors who agreed have measured it. */
export function VitalsPlate({ phone, isThere }: { phone: Phone; isThere: boolean }) {
  const [found, setFound] = useState<readonly Vital[] | 'asking' | 'failed'>('asking');
  const [round, setRound] = useState(0);
  const { country, apiKey } = phone;
  const mine = `${country.COUNTRY_CODE} ${apiKey.slice(apiKey.indexOf('-') + 1)},`;
  const look = useEffectEvent(async () => (await ask(development.vitals, {}, apiKey)).vitals);
  useEffect(() => {
    if (!isThere) return;
    let isOver = false;
    look().then(
      (vitals) => {
        if (!isOver) setFound(vitals);
      },
      () => {
        if (!isOver) setFound('failed');
      },
    );
    return () => {
      isOver = true;
    };
  }, [apiKey, isThere, round]);
  const all = typeof found === 'object' ? found : [];
  /** Those of the chosen phone first. */
  const groups = [...new Set(all.map(groupOf))].sort(
    (one, other) => Number(other.startsWith(mine)) - Number(one.startsWith(mine)) || one.localeCompare(other),
  );
  return (
    <Plate
      id="vitals"
      icon={<FlameIcon size={20} />}
      title="How fast it was"
      about="Measured by the visits that agreed to it, in the last 30 days. Three of four were at least as fast as 75 % says."
      end={
        <button type="button" className={css.again} onClick={() => setRound(round + 1)}>
          Look again
        </button>
      }
    >
      <div role="status">
        {found === 'asking' && <p className={css.note}>Asking the server …</p>}
        {found === 'failed' && <p className={css.note}>The figures could not be loaded.</p>}
        {typeof found === 'object' && groups.length === 0 && (
          <p className={css.note}>
            None yet. Start with <code>ANALYTICS=on</code>, say yes on the phone, look around and leave it.
          </p>
        )}
        {groups.map((name) => (
          <Figures key={name} name={name} vitals={all.filter((one) => groupOf(one) === name)} />
        ))}
      </div>
    </Plate>
  );
}
