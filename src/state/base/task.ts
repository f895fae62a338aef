import { atom, type Atom, type Getter, type Setter, type WritableAtom } from 'jotai';
import { isFailure } from '../../api/failure.ts';
import { customerAtom } from '../lib/forget.ts';
import { sentenceOf, showFailureAtom } from './popup.ts';

/** Sentences by the field that they stand beside. */
export type Problems<F extends string> = { readonly [field in F]?: string | undefined };

/** What becomes of something that a customer sends. */
type TaskState<F extends string = never> =
  | { readonly is: 'idle' }
  | { readonly is: 'busy'; readonly with: string }
  | { readonly is: 'refused'; readonly problems: Problems<F> };

/** Thrown by a task that finds out by itself what is wrong. */
export class Wrong<F extends string> extends Error {
  readonly problems: Problems<F>;

  constructor(problems: Problems<F>) {
    super('wrong');
    this.problems = problems;
  }
}

const IDLE = { is: 'idle' } as const;
const NONE = {};
const refusedBy = <F extends string>(problems: Problems<F>): TaskState<F> => {
  const left = Object.entries(problems).filter(([, sentence]) => Boolean(sentence));
  return left.length === 0 ? IDLE : { is: 'refused', problems: Object.fromEntries(left) as Problems<F> };
};

interface TaskOptions<A extends unknown[], F extends string> {
  /** What the page is busy with meanwhile. */
  readonly as?: string | ((...args: A) => string);
  /** What is wrong with what was typed: then nothing is sent. */
  readonly wrong?: (get: Getter, ...args: A) => Problems<F>;
  /** Handles a failure, which a popup shows otherwise. @returns what stands beside the fields */
  readonly failed?: (get: Getter, set: Setter, thrown: unknown, ...args: A) => unknown;
}

export interface Tasks<F extends string> {
  /** May be written by a form that is left while something of it is under way. */
  readonly atom: WritableAtom<TaskState<F>, [TaskState<F>], void>;
  /** What is being done; '' for nothing. */
  readonly busyAtom: Atom<string>;
  readonly isBusyAtom: Atom<boolean>;
  readonly problemsAtom: Atom<Problems<F>>;
  /** Says what is wrong with fields, where that is seen before they are sent; nothing while a task is under way. */
  readonly refuse: WritableAtom<null, [Problems<F>], void>;
  /** Takes away what stands beside these fields, or beside all, as typing does. */
  readonly clear: WritableAtom<null, F[], void>;
  /** One of the tasks. @returns whether it was done: not if another one is under way, if it failed or says false itself */
  readonly task: <A extends unknown[]>(
    run: (get: Getter, set: Setter, ...args: A) => Promise<unknown>,
    options?: TaskOptions<A, F>,
  ) => WritableAtom<null, A, Promise<boolean>>;
}

/**
 * Tasks of which one at a time is done: a second tap meanwhile does nothing. What the page shows of them is one value,
 * so it is never busy and refused at once.
 * @param isCustomers false: a logout meanwhile does not forget that it is under way
 */
export function tasks<F extends string = never>({ isCustomers = true } = {}): Tasks<F> {
  const stateAtom = (isCustomers ? customerAtom : atom)<TaskState<F>>(IDLE);
  return {
    atom: stateAtom,
    busyAtom: atom((get) => {
      const state = get(stateAtom);
      return state.is === 'busy' ? state.with : '';
    }),
    isBusyAtom: atom((get) => get(stateAtom).is === 'busy'),
    problemsAtom: atom((get) => {
      const state = get(stateAtom);
      return state.is === 'refused' ? state.problems : NONE;
    }),
    refuse: atom(null, (get, set, problems: Problems<F>) => {
      if (get(stateAtom).is !== 'busy') set(stateAtom, refusedBy<F>(problems));
    }),
    clear: atom(null, (get, set, ...fields: F[]) => {
      const state = get(stateAtom);
      if (state.is !== 'refused') return;
      const gone = Object.fromEntries(fields.map((field) => [field, undefined]));
      set(stateAtom, fields.length === 0 ? IDLE : refusedBy<F>({ ...state.problems, ...gone }));
    }),
    task: <A extends unknown[]>(
      run: (get: Getter, set: Setter, ...args: A) => Promise<unknown>,
      { as = 'send', wrong, failed }: TaskOptions<A, F> = {},
    ) =>
      atom(null, async (get, set, ...args: A): Promise<boolean> => {
        if (get(stateAtom).is === 'busy') return false;
        const before = refusedBy<F>(wrong?.(get, ...args) ?? NONE);
        set(stateAtom, before);
        if (before.is === 'refused') return false;
        const busy = { is: 'busy', with: typeof as === 'string' ? as : as(...args) } as const;
        set(stateAtom, busy);
        let after: TaskState<F> = IDLE;
        try {
          return (await run(get, set, ...args)) !== false;
        } catch (thrown) {
          const beside =
            thrown instanceof Wrong
              ? thrown.problems
              : await (failed ? failed(get, set, thrown, ...args) : set(showFailureAtom, thrown));
          if (typeof beside === 'object' && beside !== null) after = refusedBy(beside as Problems<F>);
          return false;
        } finally {
          // A logout meanwhile has forgotten it.
          if (get(stateAtom) === busy) set(stateAtom, after);
        }
      }),
  };
}

/** A failure as the sentence beside what was sent; '' where the popup shows it, as what was ended or broken. */
export const saidAtom = atom(null, (_get, set, thrown: unknown): string => {
  if (isFailure(thrown) && ['refused', 'offline', 'timeout'].includes(thrown.kind)) return sentenceOf(thrown);
  set(showFailureAtom, thrown);
  return '';
});
