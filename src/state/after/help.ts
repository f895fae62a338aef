import { atom } from 'jotai';
import { codeOf } from '../../api/failure.ts';
import * as contract from '../../contract/help.ts';
import type { Claim, Issue, MoneyWay, Piece, Ticket } from '../../contract/help.ts';
import { typedText } from '../../domain/typedText.ts';
import { deviceHeaders } from '../consent/challenge.ts';
import { newId } from '../first/lib/ids.ts';
import { apiAtom, navigateAtom } from '../first/seams.ts';
import { customerAtom } from '../lib/forget.ts';
import { remote } from '../lib/remote.ts';
import { showFailureAtom } from '../base/popup.ts';
import { tasks } from '../base/task.ts';

/** What can be asked about one order, and what was. */
export const guideState = remote(async (get, _set, signal, orderId: string) => ({
  orderId,
  ...(await get(apiAtom).call(contract.guide, { query: { orderId } }, { signal })),
}));

/** What was asked about an order, for its page; what is being said stays. */
export const lookAtHelpAtom = atom(null, (_get, set, orderId: string) => set(guideState.load, orderId));

/** All that this customer has asked. */
export const ticketsState = remote(
  async (get, _set, signal) => (await get(apiAtom).call(contract.tickets, {}, { signal })).tickets,
);

/** One of them as it is now. */
export const ticketState = remote(
  async (get, _set, signal, eventId: string) =>
    (await get(apiAtom).call(contract.status, { eventId }, { signal })).ticket,
);

interface Draft {
  readonly orderId: string;
  readonly issue: Issue | null;
  readonly items: readonly Piece[];
  readonly way: MoneyWay | null;
  readonly comment: string;
  /** The same for every try to send this claim. */
  readonly key: string;
}
const draftOf = (orderId: string, issue: Issue | null = null): Draft => ({
  orderId,
  issue,
  items: [],
  way: null,
  comment: '',
  key: newId(),
});
const draftHeldAtom = customerAtom<Draft>(draftOf(''));
/** What is being said; it stays when something fails. */
export const helpDraftAtom = atom((get) => get(draftHeldAtom));

const quoteHeld = remote(
  async (get, _set, signal, claim: Claim) =>
    await get(apiAtom).call(contract.quote, { body: claim }, { signal, headers: deviceHeaders(get) }),
);
/** What it would bring, by what is chosen now; loaded anew with every choice. */
export const quoteState = quoteHeld.atom;

const claimOf = ({ orderId, issue, items, way, comment }: Draft): Claim | null =>
  issue === null
    ? null
    : {
        orderId,
        issue,
        ...(items.length > 0 ? { items: [...items] } : {}),
        ...(way === null ? {} : { way }),
        ...(typedText(comment) === '' ? {} : { comment: typedText(comment) }),
      };

const askQuoteAtom = atom(null, async (get, set, isWhole: boolean): Promise<void> => {
  const draft = get(draftHeldAtom);
  const claim = claimOf({ ...draft, way: null, comment: '' });
  if (claim === null || (!isWhole && draft.items.length === 0)) set(quoteHeld.put, null);
  else await set(quoteHeld.load, claim);
});
/** Asks once more what the choice would bring. */
export const quoteAgainAtom = atom(null, (_get, set) => set(askQuoteAtom, true));

/** Opens the help of an order, at an issue that is known already if there is one. */
export const openHelpAtom = atom(null, async (get, set, orderId: string, issue: Issue | null): Promise<void> => {
  if (get(draftHeldAtom).orderId !== orderId || issue !== null) set(draftHeldAtom, draftOf(orderId, issue));
  set(quoteHeld.put, null);
  await set(guideState.load, orderId);
  const { data } = get(guideState.atom);
  const known = data?.categories.find((one) => one.id === get(draftHeldAtom).issue && one.isOpen);
  if (known) set(chooseIssueAtom, known.id);
  else set(draftHeldAtom, (draft) => ({ ...draft, issue: null }));
});

/** What is wrong; the only dish of an order need not be chosen. */
export const chooseIssueAtom = atom(null, (get, set, issue: Issue | null): void => {
  const { data } = get(guideState.atom);
  const isWhole = data?.categories.find((one) => one.id === issue)?.about === 'order';
  const [only, ...others] = data?.items ?? [];
  const isOnly = only !== undefined && others.length === 0 && only.left === 1 && only.parts.length === 0;
  const items = !isWhole && issue !== null && isOnly ? [{ lineId: only.lineId, quantity: 1 }] : [];
  set(draftHeldAtom, (draft) => ({ ...draft, issue, items, way: null, key: newId() }));
  void set(askQuoteAtom, isWhole);
});

/** Names so many of a dish or of a part of it; 0 names it no more. */
export const namePieceAtom = atom(null, (_get, set, piece: Piece): void => {
  set(draftHeldAtom, (draft) => ({
    ...draft,
    key: newId(),
    way: null,
    items: [
      // The whole dish and its parts are not named together.
      ...draft.items.filter(
        (own) =>
          own.lineId !== piece.lineId ||
          (own.part !== piece.part && own.part !== undefined && piece.part !== undefined),
      ),
      ...(piece.quantity > 0 ? [piece] : []),
    ],
  }));
  void set(askQuoteAtom, false);
});

export const writeHelpAtom = atom(null, (_get, set, change: Partial<Pick<Draft, 'way' | 'comment'>>): void => {
  set(draftHeldAtom, (draft) => ({ ...draft, ...change, key: newId() }));
});

export const helpTasks = tasks();

/** Sends a claim, and shows the answer. */
const sendAtom = helpTasks.task(
  async (get, set, claim: Claim, key: string) => {
    const options = { idempotencyKey: key, headers: deviceHeaders(get) };
    const { ticket } = await get(apiAtom).call(contract.claim, { body: claim }, options);
    set(ticketState.put, ticket);
    if (!claim.person) set(draftHeldAtom, draftOf(''));
    get(navigateAtom).go(`/ticket/${ticket.eventId}`, { replace: true });
  },
  {
    failed(_get, set, thrown, claim) {
      set(showFailureAtom, thrown);
      // What was claimed on another device is shown.
      if (codeOf(thrown) === 'HELP_CLAIMED') void set(guideState.load, claim.orderId);
    },
  },
);

/** Sends what was said, and shows the answer. */
export const claimAtom = atom(null, async (get, set): Promise<void> => {
  const draft = get(draftHeldAtom);
  const claim = claimOf({ ...draft, way: draft.way ?? get(quoteState).data?.ways[0]?.id ?? null });
  if (claim) await set(sendAtom, claim, draft.key);
});

/** The answer by rule did not help: a person looks. */
export const askPersonAtom = atom(null, async (_get, set, { orderId, issue, eventId }: Ticket): Promise<void> => {
  // The same ticket asks once, however often it is tapped.
  await set(sendAtom, { orderId, issue, person: true }, `person:${eventId}`);
});
