import { sql } from 'kysely';
import type { Metric } from '../../contract/activity.ts';
import type { Db } from './db.ts';

declare module './db.ts' {
  interface Tables {
    vitals: {
      id: string;
      country: string;
      host: string;
      network: string;
      page: string;
      metric: string;
      /** Milliseconds; of CLS thousandths. */
      value: number;
      at: number;
    };
  }
}

export interface Vital {
  readonly id: string;
  readonly country: string;
  readonly host: string;
  readonly network: string;
  readonly page: string;
  readonly metric: Metric;
  readonly value: number;
  readonly at: number;
}
/** Those that are there already, by their ids, are not added again. */
export async function addVitals(db: Db, rows: readonly Vital[]): Promise<void> {
  if (rows.length === 0) return;
  await db
    .insertInto('vitals')
    .values([...rows])
    .onConflict((c) => c.column('id').doNothing())
    .execute();
}

/** By country, host, kind of network and figure: how many were measured since then, and their percentiles (nearest rank). */
export async function vitalPercentiles(db: Db, since: number) {
  const { rows } = await sql<{
    country: string;
    host: string;
    network: string;
    metric: Metric;
    n: number;
    p50: number;
    p75: number;
    p95: number;
  }>`
    select country, host, network, metric, max(n) as n,
      max(case when place = (n * 50 + 99) / 100 then value end) as p50,
      max(case when place = (n * 75 + 99) / 100 then value end) as p75,
      max(case when place = (n * 95 + 99) / 100 then value end) as p95
    from (
      select country, host, network, metric, value,
        row_number() over (partition by country, host, network, metric order by value) as place,
        count(*) over (partition by country, host, network, metric) as n
      from vitals where at >= ${since}
    ) one
    group by country, host, network, metric
    order by country, host, network, metric`.execute(db);
  return rows.map((row) => ({
    ...row,
    n: Number(row.n),
    p50: Number(row.p50),
    p75: Number(row.p75),
    p95: Number(row.p95),
  }));
}
