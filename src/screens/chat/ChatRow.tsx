import * as t from '#text/chat.ts';
import { useAtomValue } from 'jotai';
import { isOpenAtom } from '../../state/first/config.ts';
import { Card } from '../../ui/page/Card.tsx';
import { href } from '../../ui/href.ts';
import { ChatIcon } from '../../ui/pictures/icons.ts';
import { ListRow } from '../../ui/page/ListRow.tsx';

/** Where the country has it. */
function useIsThere(): boolean {
  const isOpen = useAtomValue(isOpenAtom);
  return isOpen('chatbot');
}

/** The way to the assistant, from an order if one is meant; nothing where there is none. */
export function ChatRow({ orderId }: { orderId?: string }) {
  const isThere = useIsThere();
  if (!isThere) return null;
  return (
    <ListRow
      icon={<ChatIcon size={22} />}
      title={orderId === undefined ? t.title : t.ask}
      detail={t.entryDetail}
      href={href(orderId === undefined ? '/chatbot' : `/chatbot?orderId=${encodeURIComponent(orderId)}`)}
    />
  );
}

/** The same as a card of its own. */
export function ChatCard({ orderId }: { orderId?: string }) {
  const isThere = useIsThere();
  if (!isThere) return null;
  return (
    <Card flush>
      <ChatRow {...(orderId === undefined ? {} : { orderId })} />
    </Card>
  );
}
