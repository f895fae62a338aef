// What an operator sees of a shop from outside: the figures of its processes as Prometheus reads them, and which rules of
// alerts.yml ring over them.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { ringing, type Rule } from '../kit/promql.ts';
import { root } from './numbers.ts';

const EVERY_S = 5;
const GIVE_UP_MS = 4_000;

interface Series {
  readonly labels: Readonly<Record<string, string>>;
  readonly points: [at: number, value: number][];
}

/** An alert, and the seconds in which it was found, or rang. */
interface Found {
  readonly alert: string;
  readonly from: number;
  readonly to: number;
  readonly rang: boolean;
}

export interface Watcher {
  /** Ends it. @returns what it found, in the order of time */
  end(): Found[];
}

/** Reads the figures at these addresses every few seconds; seconds are counted from now. */
export function watch(addresses: readonly string[]): Watcher {
  const begun = performance.now();
  const all = new Map<string, Series>();
  const put = (labels: Readonly<Record<string, string>>, at: number, value: number) => {
    const key = JSON.stringify(labels);
    const own = all.get(key) ?? { labels, points: [] };
    all.set(key, own);
    own.points.push([at, value]);
  };
  const look = async () => {
    const at = (performance.now() - begun) / 1_000;
    await Promise.all(
      addresses.map(async (address) => {
        const own = { job: 'pizza', instance: new URL(address).host };
        const text = await fetch(address, { signal: AbortSignal.timeout(GIVE_UP_MS) }).then(
          (answer) => answer.text(),
          () => null,
        );
        put({ __name__: 'up', ...own }, at, text === null ? 0 : 1);
        for (const [, name, inner = '', value] of (text ?? '').matchAll(/^(\w+)(?:\{(.*)\})? (\S+)$/gm)) {
          const labels = [...inner.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, key, word]) => [key, word]);
          put({ __name__: name!, ...Object.fromEntries(labels), ...own }, at, Number(value));
        }
      }),
    );
  };
  const timer = setInterval(() => void look(), EVERY_S * 1_000);
  void look();
  return {
    end() {
      clearInterval(timer);
      const { groups } = parse(readFileSync(path.join(root, 'src/server/operations/alerts.yml'), 'utf8')) as {
        groups: { rules: Rule[] }[];
      };
      const seconds = (performance.now() - begun) / 1_000;
      const series = [...all.values()];
      const found: Found[] = [];
      for (const rule of groups.flatMap(({ rules }) => rules)) {
        const { for: _, ...atOnce } = rule;
        let open: { from: number; to: number; rang: boolean } | null = null;
        // The first look has been answered by then.
        for (let at = EVERY_S; at <= seconds; at += EVERY_S) {
          if (ringing(atOnce, series, at, EVERY_S).length > 0) {
            open ??= { from: at, to: at, rang: false };
            open.to = at;
            open.rang ||= ringing(rule, series, at, EVERY_S).length > 0;
          } else if (open !== null) {
            found.push({ alert: rule.alert, ...open });
            open = null;
          }
        }
        if (open !== null) found.push({ alert: rule.alert, ...open });
      }
      return found.sort((a, b) => a.from - b.from);
    },
  };
}
