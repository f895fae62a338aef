import type { EndpointInput } from '../../../contract/endpoint.ts';
import { claim } from '../../../contract/help.ts';
import type { Call } from '../../call/call.ts';
import { languageAsked } from '../../call/language.ts';
import type { PreparedReply } from '../../call/preparedReply.ts';
import { ticketById } from '../../store/help.ts';
import { ownOrder } from '../order/rights.ts';
import { fingerprint, keyOf, once } from '../reliability/idempotency.ts';
import { handToDesk } from './imitatedDesk.ts';
import { claimHelp, ticketViews } from './tickets.ts';

/** Takes a claim under the call's key; the desk gets what a person has to answer. @throws Refusal as `claimHelp` */
export async function claimOnce(call: Call, input: EndpointInput<typeof claim>['body']): Promise<PreparedReply> {
  await ownOrder(call, input.orderId);
  return await once(
    call,
    keyOf(call),
    fingerprint(claim.path, input),
    async (tx) => {
      const { ticketId, isPersons } = await claimHelp(tx, call, input);
      if (isPersons) await handToDesk(tx, ticketId, languageAsked(), call.now);
      return { ticketId };
    },
    async ({ ticketId }) => {
      const row = await ticketById(call.db, ticketId);
      const [ticket] = row === undefined ? [] : await ticketViews(call.db, [row]);
      if (ticket === undefined) throw new Error(`ticket ${ticketId} is gone`);
      return { ticket };
    },
  );
}
