import * as t from '#text/help.ts';
import { useAtomValue, useSetAtom } from 'jotai';
import { isOpenAtom } from '../../state/first/config.ts';
import { guideState, lookAtHelpAtom } from '../../state/help.ts';
import { Card } from '../../ui/Card.tsx';
import { href } from '../../ui/href.ts';
import { HelpIcon } from '../../ui/icons/HelpIcon.tsx';
import { ListRow } from '../../ui/ListRow.tsx';
import { While } from '../../ui/While.tsx';
import { TicketRow } from './TicketRow.tsx';

/** The way to the help of an order, and what was asked about it. */
export function HelpCard({ orderId }: { orderId: string }) {
  const { data } = useAtomValue(guideState.atom);
  const look = useSetAtom(lookAtHelpAtom);
  const isOpen = useAtomValue(isOpenAtom);
  if (!isOpen('support')) return null;
  const tickets = data?.orderId === orderId ? data.tickets : [];
  return (
    <>
      <While name={orderId} run={() => void look(orderId)} />
      <Card flush>
        <ListRow
          icon={<HelpIcon size={22} />}
          title={t.getHelp}
          detail={t.getHelpDetail}
          href={href(`/help/${orderId}`)}
        />
        {tickets.map((ticket) => (
          <TicketRow key={ticket.eventId} ticket={ticket} isNumbered={false} />
        ))}
      </Card>
    </>
  );
}
