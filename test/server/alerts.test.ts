import { readFileSync } from 'node:fs';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { parser } from '@prometheus-io/lezer-promql';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { root } from '../architecture/sources.ts';
import { evaluate, ringing, secondsOf, seriesOf, type Alert, type Case, type Rule } from '../kit/promql.ts';

const read = (name: string): unknown => parse(readFileSync(path.join(root, 'src/server/operations', name), 'utf8'));
const rules = (read('alerts.yml') as { groups: { rules: Rule[] }[] }).groups.flatMap((group) => group.rules);
const { tests: cases, evaluation_interval: every } = read('alerts.test.yml') as {
  tests: Case[];
  evaluation_interval: string;
};

interface Question {
  readonly about: string;
  readonly alertname: string;
  readonly at: string;
  readonly series: ReturnType<typeof seriesOf>;
  readonly rings: readonly Alert[];
}
const questions = cases.flatMap((one): Question[] => {
  const series = seriesOf(one);
  return one.alert_rule_test.map(({ alertname, eval_time: at, exp_alerts: rings }) => ({
    about: one.name,
    alertname,
    at,
    series,
    rings,
  }));
});
const inOrder = (alerts: readonly Alert[]) =>
  alerts.toSorted((a, b) => a.exp_annotations['summary']!.localeCompare(b.exp_annotations['summary']!));
const answer = (rule: Rule, { series, at }: Question) =>
  inOrder(ringing(rule, series, secondsOf(at), secondsOf(every)));

test.each(questions)('$alertname at $at: $about', (question) => {
  const rule = rules.find(({ alert }) => alert === question.alertname)!;
  expect(answer(rule, question)).toEqual(inOrder(question.rings));
});

/** The rule with one thing changed at a time: a number that it compares with, a part of its condition, its waiting time. */
function changed(rule: Rule): [what: string, rule: Rule][] {
  const { expr } = rule;
  const all: [string, Rule][] = [];
  const put = (from: number, to: number, text: string) => {
    const other = expr.slice(0, from) + text + expr.slice(to);
    all.push([other, { ...rule, expr: other }]);
  };
  for (const found of expr.matchAll(/(?<=[<>=] )[\d.e]+|[\d.]+(?= \*)/g)) {
    const number = Number(found[0]);
    if (number === 0) continue;
    for (const other of [number * 2, number / 2]) put(found.index, found.index + found[0].length, String(other));
  }
  parser.parse(expr).iterate({
    enter({ node }) {
      if (node.getChild('And') === null && node.getChild('Or') === null) return;
      for (const { from, to } of [node.firstChild!, node.lastChild!]) put(node.from, node.to, expr.slice(from, to));
    },
  });
  if (rule.for !== undefined) {
    all.push(['without waiting', { ...rule, for: '0s' }]);
    all.push(['waiting twice as long', { ...rule, for: `${secondsOf(rule.for) * 2}s` }]);
  }
  return all;
}

test.each(rules)('$alert rings in one case and not in another, and each number and part of it decides one', (rule) => {
  const own = questions.filter(({ alertname }) => alertname === rule.alert);
  const rings = own.map((question) => question.rings.length > 0);
  expect([rings.includes(true), rings.includes(false)]).toEqual([true, true]);
  const unseen = changed(rule).filter(([, other]) =>
    own.every((question) => isDeepStrictEqual(answer(other, question), inOrder(question.rings))),
  );
  expect(unseen.map(([what]) => what)).toEqual([]);
});

describe('the evaluation', () => {
  const points = (...values: number[]) => values.map((value, n) => [n * 60, value] as const);
  const value = (expr: string, values: readonly number[], labels = {}) =>
    evaluate(expr, [{ labels: { __name__: 'x', ...labels }, points: points(...values) }], (values.length - 1) * 60);

  test.each([
    ['a steady rise fills its window', 'increase(x[5m])', [0, 10, 20, 30, 40, 50, 60, 70, 80, 90], 50],
    ['a fall is a restart', 'increase(x[5m])', [0, 10, 20, 30, 40, 50, 60, 0, 10, 20], 37.5],
    ['a counter was not below 0 before', 'increase(x[10m])', [0, 10], 10],
    ['each second', 'rate(x[5m])', [0, 60, 120, 180, 240, 300, 360], 1],
    ['values that differ from the one before', 'changes(x[10m])', [1, 1, 2, 2, 1], 2],
    ['what it was some time ago', 'increase(x[5m] offset 5m)', [0, 10, 20, 30, 40, 50, 50, 50, 50, 50, 50], 50],
  ])('%s', (_, expr, values, wanted) => {
    expect(value(expr, values)).toEqual([{ labels: {}, value: expect.closeTo(wanted, 9) as number }]);
  });
  test('a series that says nothing any more is gone after five minutes', () => {
    const gone = [{ labels: { __name__: 'x' }, points: points(1) }];
    expect(evaluate('x', gone, 299)).toEqual([{ labels: { __name__: 'x' }, value: 1 }]);
    expect(evaluate('x', gone, 300)).toEqual([]);
    expect(evaluate('absent(x)', gone, 300)).toEqual([{ labels: {}, value: 1 }]);
  });
  test.each(['avg(x)', 'sum without (a) (x)', 'x offset 5m', 'deriv(x[5m])', 'x and ignoring (a) x', 'x % 2 > 0'])(
    'what no rule has used is not guessed at: %s',
    (expr) => {
      expect(() => value(expr, [1, 2])).toThrow('is not read yet');
    },
  );
});
