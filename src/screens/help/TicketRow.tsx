import * as t from '#text/help.ts';
import type { Ticket } from '../../contract/help.ts';
import { Exact } from '../../ui/money/Exact.tsx';
import { href } from '../../ui/href.ts';
import { ListRow } from '../../ui/page/ListRow.tsx';
import { Tag } from '../../ui/Tag.tsx';
import { ISSUE_ICONS } from './issueIcons.ts';
import { rich } from '../../ui/rich.ts';

/** One ticket in a list: what it is about, and what was answered. */
export function TicketRow({ ticket, isNumbered }: { ticket: Ticket; isNumbered: boolean }) {
  const Icon = ISSUE_ICONS[ticket.issue];
  return (
    <ListRow
      icon={<Icon size={22} />}
      title={
        isNumbered ? (
          <>
            <span>{ticket.label}</span> · {rich(t.orderOf, { number: <Exact>{ticket.orderNumber}</Exact> })}
          </>
        ) : (
          ticket.label
        )
      }
      detail={
        <>
          {ticket.state === 'PERSON' && <Tag tone="sun">{t.state({ state: ticket.state })}</Tag>} {ticket.answer}
        </>
      }
      href={href(`/ticket/${ticket.eventId}`)}
    />
  );
}
