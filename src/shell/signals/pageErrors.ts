import * as contract from '../../contract/pageErrors.ts';
import type { Api } from '../../api/api.ts';
import { isFailure } from '../../api/failure.ts';
import { apiAtom, pathAtom } from '../../state/first/seams.ts';
import type { Store } from '../first/watchers.tsx';

/** Most errors that one page tells: after these more of them say nothing new. */
const TOLD_AT_MOST = 5;
/** What happens on any network, and what a customer is told of anyway. */
const EXPECTED = ['offline', 'timeout', 'aborted', 'expired'];
const told = new Set<string>();

interface Boot {
  readonly version?: string;
  readonly country?: string;
  readonly host?: string;
}

/** Tells the server of an error, once for each kind. What cannot be told is let go: the page must not fail by it again. */
export function tellError(store: Store, thrown: unknown): void {
  // Nobody can be told before the page is connected.
  const api = store.get(apiAtom) as Api | null;
  const failure = isFailure(thrown) ? thrown : null;
  if (api === null) return;
  if (failure !== null && EXPECTED.includes(failure.kind)) return;
  const {
    name = 'Error',
    message = '',
    stack = '',
  } = (typeof thrown === 'object' && thrown ? thrown : { message: String(thrown) }) as Partial<Error>;
  const kind = `${name} ${message} ${stack}`;
  if (told.has(kind) || told.size >= TOLD_AT_MOST) return;
  told.add(kind);
  const boot = JSON.parse(document.getElementById('boot')?.textContent ?? '{}') as Boot;
  const body = {
    name: String(name).slice(0, 80),
    message: String(message).slice(0, 1_000),
    stack: String(stack).slice(0, 6_000),
    bundle: `${boot.country}/${boot.host}`,
    release: boot.version ?? '',
    page: store.get(pathAtom).split('?')[0]!.slice(0, 400),
    requestId: failure?.requestId ?? '',
  };
  api.call(contract.report, { body }, { retries: 0 }).catch(() => undefined);
}
