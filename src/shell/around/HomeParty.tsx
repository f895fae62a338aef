import * as t from '#text/menu.ts';
import { useSetAtom } from 'jotai';
import { useState, type ComponentType } from 'react';
import { loadChunk } from '../../bridge/scripts.ts';
import { planPartyAtom } from '../../state/cart/party.ts';
import { Card } from '../../ui/page/Card.tsx';
import { TableIcon } from '../../ui/pictures/icons.ts';
import { ListRow } from '../../ui/page/ListRow.tsx';
import { HomeCard } from './HomeCard.tsx';

/** At the end of home, where it moves nothing: the way to a menu for many. */
export default function HomeParty() {
  const [Sheet, setSheet] = useState<ComponentType<{ onClose: () => void }> | null>(null);
  const plan = useSetAtom(planPartyAtom);
  const open = () => {
    void plan();
    void loadChunk(() => import('../../screens/party/PartySheet.tsx')).then(
      (loaded) => setSheet(() => loaded.PartySheet),
      () => undefined,
    );
  };
  return (
    <HomeCard label={t.partyTitle}>
      <Card flush>
        <ListRow icon={<TableIcon size={22} />} title={t.partyTitle} detail={t.partyDetail} onClick={open} />
      </Card>
      {Sheet && <Sheet onClose={() => setSheet(null)} />}
    </HomeCard>
  );
}
