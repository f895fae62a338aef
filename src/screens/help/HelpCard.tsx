import * as t from '#text/help.ts';
import * as orderText from '#text/order.ts';
import { useAtomValue, useSetAtom } from 'jotai';
import { isOpenAtom } from '../../state/first/config.ts';
import { guideState, lookAtHelpAtom } from '../../state/after/help.ts';
import { Card } from '../../ui/page/Card.tsx';
import { href } from '../../ui/href.ts';
import { HelpIcon } from '../../ui/pictures/icons.ts';
import { Aside } from '../../ui/page/Page.tsx';
import { rich } from '../../ui/rich.ts';
import { ListRow } from '../../ui/page/ListRow.tsx';
import { While } from '../../ui/time/While.tsx';
import { ChatRow } from '../chat/ChatRow.tsx';
import { HelpNumber } from '../base/HelpNumber.tsx';
import { TicketRow } from './TicketRow.tsx';

/** The way to the help of an order, and what was asked about it; where there is no help here, the number to call. */
export default function HelpCard({ orderId }: { orderId: string }) {
  const { data } = useAtomValue(guideState.atom);
  const look = useSetAtom(lookAtHelpAtom);
  const isOpen = useAtomValue(isOpenAtom);
  if (!isOpen('support')) return <Aside>{rich(orderText.needHelpWithOrder, { help: <HelpNumber /> })}</Aside>;
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
        <ChatRow orderId={orderId} />
        {tickets.map((ticket) => (
          <TicketRow key={ticket.eventId} ticket={ticket} isNumbered={false} />
        ))}
      </Card>
    </>
  );
}
