import * as t from '#text/help.ts';
import type { Ticket } from '../../contract/help.ts';
import { href } from '../../ui/href.ts';
import { ListRow } from '../../ui/ListRow.tsx';
import { Tag } from '../../ui/Tag.tsx';
import { ISSUE_ICONS } from './issueIcons.ts';

/** One ticket in a list: what it is about, and what was answered. */
export function TicketRow({ ticket, isNumbered }: { ticket: Ticket; isNumbered: boolean }) {
  const Icon = ISSUE_ICONS[ticket.issue];
  return (
    <ListRow
      icon={<Icon size={22} />}
      title={isNumbered ? `${ticket.label} · ${t.orderOf({ number: ticket.orderNumber })}` : ticket.label}
      detail={
        <>
          {ticket.state === 'PERSON' && <Tag tone="sun">{t.state({ state: ticket.state })}</Tag>} {ticket.answer}
        </>
      }
      href={href(`/ticket/${ticket.eventId}`)}
    />
  );
}
