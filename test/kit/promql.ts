// What Prometheus makes of the rules of alerts.yml and of the cases of alerts.test.yml, which are in the format of
// `promtool test rules`: only the functions that our rules use. Anything else throws, so that no rule passes unread.
// https://prometheus.io/docs/prometheus/latest/configuration/unit_testing_rules/
import { parser } from '@prometheus-io/lezer-promql';

export interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly for?: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
}
export interface Alert {
  readonly exp_labels: Readonly<Record<string, string>>;
  readonly exp_annotations: Readonly<Record<string, string>>;
}
export interface Case {
  readonly name: string;
  readonly interval: string;
  readonly input_series: readonly { readonly series: string; readonly values: string }[];
  readonly alert_rule_test: readonly {
    readonly eval_time: string;
    readonly alertname: string;
    readonly exp_alerts: readonly Alert[];
  }[];
}

type Labels = Readonly<Record<string, string>>;
interface Sample {
  readonly labels: Labels;
  readonly value: number;
}
/** A point is a time in seconds and a value. */
interface Series {
  readonly labels: Labels;
  readonly points: readonly (readonly [at: number, value: number])[];
}
type Value = number | readonly Sample[];
type Node = ReturnType<typeof parser.parse>['topNode'];

const NAME = '__name__';
/** How long the last sample of a series counts as its value, in seconds. */
const LOOKBACK_S = 300;
const UNITS_S: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400, w: 604_800 };

/** Seconds of 1h30m. @throws Error for anything else */
export function secondsOf(text: string): number {
  const parts = [...text.matchAll(/(\d+)([smhdw])/g)];
  if (parts.length === 0 || parts.map(([part]) => part).join('') !== text) throw new Error(`${text} is no duration`);
  return parts.reduce((sum, [, number, unit]) => sum + Number(number) * UNITS_S[unit!]!, 0);
}

function labelsIn(text: string): Labels {
  const [, name, inner = ''] = /^(\w+)(?:\{(.*)\})?$/.exec(text) ?? [];
  if (name === undefined) throw new Error(`${text} is no series`);
  const pairs = [...inner.matchAll(/(\w+)="([^"]*)"/g)].map(([, key, value]) => [key!, value!] as const);
  return { [NAME]: name, ...Object.fromEntries(pairs) };
}

/** `5x3`, `0+2x10`, `_x4` and single values: n repetitions follow a value, and a gap is n long. */
function pointsOf(text: string, step: number): Series['points'] {
  const points: [number, number][] = [];
  let at = 0;
  for (const part of text.trim().split(/\s+/)) {
    const gap = /^_(?:x(\d+))?$/.exec(part);
    if (gap !== null) {
      at += Number(gap[1] ?? 1) * step;
      continue;
    }
    const [, first, by = '0', times = '0'] = /^(-?[\d.]+)([+-][\d.]+)?(?:x(\d+))?$/.exec(part) ?? [];
    if (first === undefined) throw new Error(`${part} is no value`);
    for (let n = 0; n <= Number(times); n += 1, at += step) points.push([at, Number(first) + n * Number(by)]);
  }
  return points;
}

export const seriesOf = ({ interval, input_series }: Case): Series[] =>
  input_series.map(({ series, values }) => ({
    labels: labelsIn(series),
    points: pointsOf(values, secondsOf(interval)),
  }));

/** The points in (from, to]. */
function between({ points }: Series, from: number, to: number): Series['points'] {
  const after = (at: number) => {
    let [low, high] = [0, points.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (points[middle]![0] <= at) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  return points.slice(after(from), after(to));
}

const withoutName = ({ [NAME]: _, ...labels }: Labels): Labels => labels;
const keyOf = (labels: Labels, names: readonly string[] | null = null): string =>
  JSON.stringify(
    Object.entries(labels)
      .filter(([name]) => (names === null ? name !== NAME : names.includes(name)))
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );

/** The rise of a counter in a window, drawn out to its edges as Prometheus does; null without two samples. */
function riseOf(points: Series['points'], from: number, to: number): number | null {
  const [first, last] = [points[0], points.at(-1)];
  if (first === undefined || last === undefined || points.length < 2) return null;
  // After a restart a counter begins at 0 again.
  const rise = points
    .slice(1)
    .reduce((sum, [, value], n) => (value < points[n]![1] ? sum + points[n]![1] : sum), last[1] - first[1]);
  const length = last[0] - first[0];
  const step = length / (points.length - 1);
  // It was not below 0 before its first sample.
  const sinceZero = rise > 0 && first[1] >= 0 ? length * (first[1] / rise) : Number.POSITIVE_INFINITY;
  const reach = (room: number) => (room < step * 1.1 ? room : step / 2);
  return rise * ((length + reach(Math.min(first[0] - from, sinceZero)) + reach(to - last[0])) / length);
}

function changesOf(points: Series['points']): number {
  return points.filter(([, value], n) => n > 0 && value !== points[n - 1]![1]).length;
}

/** Of the buckets of one histogram: their upper bounds, and how many lie below each. */
function quantileOf(q: number, buckets: readonly (readonly [bound: number, count: number])[]): number {
  const sorted = buckets.toSorted(([a], [b]) => a - b);
  const total = sorted.at(-1)?.[1] ?? 0;
  if (sorted.at(-1)?.[0] !== Number.POSITIVE_INFINITY || sorted.length < 2 || total === 0) return Number.NaN;
  const rank = q * total;
  const at = sorted.findIndex(([, count]) => count >= rank);
  if (at === sorted.length - 1) return sorted.at(-2)![0];
  const [lower, before] = sorted[at - 1] ?? [0, 0];
  const [upper, count] = sorted[at]!;
  return lower + (upper - lower) * ((rank - before) / (count - before));
}

const COMPARE: Readonly<Record<string, (a: number, b: number) => boolean>> = {
  '>': (a, b) => a > b,
  '<': (a, b) => a < b,
  '>=': (a, b) => a >= b,
  '<=': (a, b) => a <= b,
  '==': (a, b) => a === b,
  '!=': (a, b) => a !== b,
};
const COUNT: Readonly<Record<string, (a: number, b: number) => number>> = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '/': (a, b) => a / b,
};
const AGGREGATE: Readonly<Record<string, (values: readonly number[]) => number>> = {
  sum: (values) => values.reduce((all, one) => all + one, 0),
  max: (values) => Math.max(...values),
  min: (values) => Math.min(...values),
};

/** What an expression is at an instant, in seconds. @throws Error for what our rules have not used so far */
export function evaluate(expr: string, all: readonly Series[], at: number): Value {
  const textOf = ({ from, to }: Node) => expr.slice(from, to);
  const childrenOf = (node: Node): Node[] => {
    const found: Node[] = [];
    for (let one = node.firstChild; one !== null; one = one.nextSibling) found.push(one);
    return found;
  };
  const unread = (node: Node): never => {
    throw new Error(`${node.name} is not read yet: ${textOf(node)}`);
  };
  const vector = (node: Node): readonly Sample[] => {
    const value = read(node);
    return typeof value === 'number' ? unread(node) : value;
  };

  function selected(node: Node): Series[] {
    const { [NAME]: name } = labelsIn(textOf(node.getChild('Identifier') ?? unread(node)));
    const matchers = (node.getChild('LabelMatchers')?.getChildren('UnquotedLabelMatcher') ?? []).map((matcher) => {
      const [, key, how, wanted] = /^(\w+)\s*(=~|!~|!=|=)\s*"([^"]*)"$/.exec(textOf(matcher)) ?? unread(matcher);
      const pattern = new RegExp(`^(?:${wanted})$`);
      return ({ [key!]: own = '' }: Labels) =>
        how!.endsWith('~') ? pattern.test(own) === (how === '=~') : (own === wanted) === (how === '=');
    });
    return all.filter(({ labels }) => labels[NAME] === name && matchers.every((fits) => fits(labels)));
  }

  /** A window of each series, moved into the past where it says so. */
  function windows(node: Node) {
    const offset = node.name === 'OffsetExpr' ? secondsOf(textOf(node.getChild('OffsetDurationExpr')!)) : 0;
    const matrix = node.name === 'OffsetExpr' ? node.firstChild! : node;
    if (matrix.name !== 'MatrixSelector') unread(matrix);
    const length = secondsOf(textOf(matrix.getChild('DurationExpr')!));
    const to = at - offset;
    return {
      length,
      each: (work: (points: Series['points'], from: number, to: number) => number | null): readonly Sample[] =>
        selected(matrix.getChild('VectorSelector')!).flatMap((series) => {
          const points = between(series, to - length, to);
          const value = points.length === 0 ? null : work(points, to - length, to);
          return value === null ? [] : [{ labels: withoutName(series.labels), value }];
        }),
    };
  }

  function called(node: Node): Value {
    const name = textOf(node.getChild('FunctionIdentifier')!);
    const given = childrenOf(node.getChild('FunctionCallBody')!);
    const [first, second] = given;
    if (name === 'time') return at;
    if (name === 'vector') return [{ labels: {}, value: read(first!) as number }];
    if (name === 'absent') {
      const { [NAME]: _, ...labels } = labelsIn(textOf(first!));
      return vector(first!).length > 0 ? [] : [{ labels, value: 1 }];
    }
    if (name === 'increase') return windows(first!).each(riseOf);
    if (name === 'changes') return windows(first!).each(changesOf);
    if (name === 'rate') {
      const { each, length } = windows(first!);
      return each(riseOf).map(({ labels, value }) => ({ labels, value: value / length }));
    }
    if (name === 'histogram_quantile') {
      const groups = Map.groupBy(vector(second!), ({ labels: { le: _, ...labels } }) => keyOf(labels));
      return [...groups.values()].flatMap((samples) => {
        const { le: _, ...labels } = withoutName(samples[0]!.labels);
        const bound = (text = '') => (text === '+Inf' ? Number.POSITIVE_INFINITY : Number(text));
        const value = quantileOf(
          read(first!) as number,
          samples.map((one) => [bound(one.labels['le']), one.value]),
        );
        return Number.isNaN(value) ? [] : [{ labels, value }];
      });
    }
    return unread(node);
  }

  function aggregated(node: Node): readonly Sample[] {
    const work = AGGREGATE[textOf(node.getChild('AggregateOp')!)] ?? unread(node);
    const modifier = node.getChild('AggregateModifier');
    if (modifier !== null && modifier.getChild('By') === null) unread(modifier);
    const names = (modifier?.getChild('GroupingLabels')?.getChildren('LabelName') ?? []).map(textOf);
    const groups = Map.groupBy(vector(node.getChild('FunctionCallBody')!.firstChild!), ({ labels }) =>
      keyOf(labels, names),
    );
    return [...groups].map(([key, samples]) => ({
      labels: Object.fromEntries(JSON.parse(key) as [string, string][]),
      value: work(samples.map(({ value }) => value)),
    }));
  }

  function combined(node: Node): Value {
    const parts = childrenOf(node);
    const [left, operator, right] = [parts[0]!, parts[1]!, parts.at(-1)!];
    const matching = node.getChild('MatchingModifierClause');
    if (matching !== null && matching.getChild('On') === null) unread(matching);
    const names = matching?.getChild('GroupingLabels')?.getChildren('LabelName').map(textOf) ?? null;
    const key = ({ labels }: Sample) => keyOf(labels, names);
    const word = textOf(operator);
    if (word === 'and' || word === 'or') {
      const [ours, theirs] = [vector(left), vector(right)];
      const known = new Set((word === 'and' ? theirs : ours).map(key));
      return word === 'and'
        ? ours.filter((one) => known.has(key(one)))
        : [...ours, ...theirs.filter((one) => !known.has(key(one)))];
    }
    const [ours, theirs] = [read(left), read(right)];
    const [compare, count] = [COMPARE[word], COUNT[word]];
    const both = (one: Sample, a: number, b: number): Sample[] =>
      compare !== undefined
        ? compare(a, b)
          ? [one]
          : []
        : [{ labels: withoutName(one.labels), value: (count ?? unread(node))(a, b) }];
    if (typeof ours === 'number' && typeof theirs === 'number') return (count ?? unread(node))(ours, theirs);
    if (typeof ours === 'number') return (theirs as readonly Sample[]).flatMap((one) => both(one, ours, one.value));
    if (typeof theirs === 'number') return ours.flatMap((one) => both(one, one.value, theirs));
    const others = new Map(theirs.map((one) => [key(one), one.value]));
    return ours.flatMap((one) => {
      const other = others.get(key(one));
      return other === undefined ? [] : both(one, one.value, other);
    });
  }

  function read(node: Node): Value {
    switch (node.name) {
      case 'NumberDurationLiteral':
        return Number(textOf(node));
      case 'ParenExpr':
        return read(node.firstChild!);
      case 'VectorSelector':
        return selected(node).flatMap((series) => {
          const last = between(series, at - LOOKBACK_S, at).at(-1);
          return last === undefined ? [] : [{ labels: series.labels, value: last[1] }];
        });
      case 'FunctionCall':
        return called(node);
      case 'AggregateExpr':
        return aggregated(node);
      case 'BinaryExpr':
        return combined(node);
      default:
        return unread(node);
    }
  }
  return read(parser.parse(expr).topNode.firstChild!);
}

const short = (value: number) => String(Number(value.toPrecision(4)));
const WAYS: Readonly<Record<string, (value: number) => string>> = {
  humanizePercentage: (value) => `${short(value * 100)}%`,
  humanize1024(value) {
    let [rest, prefix] = [value, ''];
    for (const next of ['ki', 'Mi', 'Gi', 'Ti']) if (Math.abs(rest) >= 1024) [rest, prefix] = [rest / 1024, next];
    return short(rest) + prefix;
  },
};
/** The words of an annotation. @throws Error for what no annotation has used so far */
const filled = (template: string, { labels, value }: Sample): string =>
  template.replaceAll(/\{\{\s*(.*?)\s*\}\}/g, (_all, inside: string) => {
    const [, label] = /^\$labels\.(\w+)$/.exec(inside) ?? [];
    const [, digits] = /^printf "%\.(\d)f" \$value$/.exec(inside) ?? [];
    const [, way] = /^\$value \| (\w+)$/.exec(inside) ?? [];
    if (label !== undefined) return labels[label] ?? '';
    if (digits !== undefined) return value.toFixed(Number(digits));
    if (inside === '$value') return String(value);
    const write = WAYS[way ?? ''];
    if (write === undefined) throw new Error(`${inside} is not written yet`);
    return write(value);
  });

/** The alerts of a rule that ring at an instant: those that it has found for as long as it waits, each `every` seconds. */
export function ringing(rule: Rule, all: readonly Series[], at: number, every: number): Alert[] {
  const wait = rule.for === undefined ? 0 : secondsOf(rule.for);
  const found = (time: number) => {
    const value = evaluate(rule.expr, all, time);
    if (typeof value === 'number') throw new Error(`${rule.alert} finds a number, and no series`);
    return value;
  };
  let lasting = found(at);
  for (let time = at - every; time > at - wait - every && lasting.length > 0; time -= every) {
    const before = new Set((time < 0 ? [] : found(time)).map(({ labels }) => keyOf(labels)));
    lasting = lasting.filter(({ labels }) => before.has(keyOf(labels)));
  }
  return lasting.map((sample) => ({
    exp_labels: { ...withoutName(sample.labels), ...rule.labels },
    exp_annotations: Object.fromEntries(
      Object.entries(rule.annotations).map(([name, text]) => [name, filled(text, sample)]),
    ),
  }));
}
