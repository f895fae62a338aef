import { isPlain, type Segment } from './settings.ts';

export type Variables = Readonly<Record<string, unknown>>;

function found(pattern: string, value: string): boolean {
  try {
    return new RegExp(pattern).test(value);
  } catch {
    return false;
  }
}

const NUMBER = '\\((\\d+\\.?\\d*|\\.\\d+)\\)';
/** Names before a bracket; anything after the closing one is ignored. */
const OPERANDS: readonly (readonly [RegExp, (operand: string, value: string) => boolean])[] = [
  [/^lower\((.*)\)/, (operand, value) => operand.toLowerCase() === value.toLowerCase()],
  [/^wildcard\((.*)\)/, () => false],
  [/^regex\((.*)\)/, found],
  [new RegExp(`^gt${NUMBER}`), (operand, value) => parseFloat(operand) < parseFloat(value)],
  [new RegExp(`^gte${NUMBER}`), (operand, value) => parseFloat(operand) <= parseFloat(value)],
  [new RegExp(`^lt${NUMBER}`), (operand, value) => parseFloat(operand) > parseFloat(value)],
  [new RegExp(`^lte${NUMBER}`), (operand, value) => parseFloat(operand) >= parseFloat(value)],
];
const WILDCARD = OPERANDS[1];

const wildcards: Readonly<Record<string, (operand: string, value: string) => boolean>> = {
  '**': (operand, value) => value.includes(operand),
  '*': (operand, value) => value.endsWith(operand),
  ' *': (operand, value) => value.startsWith(operand),
};
const isEqual = (operand: unknown, value: unknown) => value === operand;

/** A whole number beyond 10^21 loses all but its first digit here, at the service, too. */
const shortest = (value: number): string => String(value === Math.floor(value) ? parseInt(String(value), 10) : value);

/** What an operand compares with, and how. */
function readOperand(operand: unknown): [compared: unknown, compare: (operand: never, value: never) => boolean] {
  if (typeof operand !== 'string') return [operand, isEqual];
  for (const row of OPERANDS) {
    const inside = row[0].exec(operand)?.[1];
    if (inside === undefined) continue;
    if (row !== WILDCARD) return [inside, row[1]];
    const stars = `${inside.startsWith('*') ? '*' : ' '}${inside.endsWith('*') ? '*' : ''}`.trimEnd();
    return [inside.replace(/^\*/, '').replace(/\*$/, ''), wildcards[stars] ?? isEqual];
  }
  return [operand, isEqual];
}

function variableFits(condition: object, variables: Variables): boolean {
  const [name, operand] = first(condition);
  if (!Object.prototype.hasOwnProperty.call(variables, name)) return false;
  const held = variables[name] as { toString(): string } | null | undefined;
  let value = held === null ? null : held === undefined ? '' : held.toString();
  let [compared, compare] = readOperand(operand);
  // Before any comparison: where both begin with a number that is not 0, the numbers are compared, as text.
  const [one, other] = [parseFloat(compared as string), parseFloat(value as string)];
  if (one && other) [compared, value] = [shortest(one), shortest(other)];
  if (value === null && compare !== isEqual && compare !== found) return false;
  return compare(compared as never, value as never);
}

/** @throws TypeError for an object without keys: the whole tree is false then */
function first(node: object): [key: string, value: unknown] {
  const key = Object.keys(node)[0];
  if (key === undefined) throw new TypeError('nothing to compare');
  return [key, (node as Record<string, unknown>)[key]];
}

function fits(node: object, variables: Variables): boolean {
  const [operator, value] = first(node);
  switch (operator) {
    case 'not':
      return !fits(value as object, variables);
    case 'and':
    case 'or': {
      // All are looked at: a broken one behind the one that decides makes the tree false as well.
      const list = Array.from(value as ArrayLike<object>, (one) => fits(one, variables));
      return operator === 'and' ? list.every(Boolean) : list.some(Boolean);
    }
    case 'custom_variable':
      return variableFits(value as object, variables);
    case 'user':
      return (value as string).split(',').some((one) => one.trim() === variables['_vwoUserId']);
    default:
      return false;
  }
}

/** Whether a visitor's variables fit a tree. Never throws: whatever is broken in the tree makes the whole of it false. */
export function segmentFits(segment: Segment | undefined, variables: Variables = {}): boolean {
  if (!isPlain(segment) || Object.keys(segment).length === 0) return true;
  try {
    return fits(segment, variables);
  } catch {
    return false;
  }
}
