import * as t from '#text/group.ts';
import { useAtomValue, useSetAtom } from 'jotai';
import type { Group } from '../../contract/group.ts';
import { shareGroupAtom } from '../../state/group/group.ts';
import { hostAtom } from '../../state/first/seams.ts';
import { Button } from '../../ui/forms/Button.tsx';
import { Card } from '../../ui/page/Card.tsx';
import { Closing } from './Closing.tsx';
import css from './GroupScreen.module.css';

/** How to invite others: by the host's share sheet where there is one, by the link, or by telling them the code. */
export function Invite({ group }: { group: Group }) {
  const host = useAtomValue(hostAtom);
  const share = useSetAtom(shareGroupAtom);
  const canShare = host.supports('share').state !== 'unavailable';
  return (
    <Card title={t.invite}>
      <div className={css.stack}>
        <Closing group={group} />
        <div className={css.row}>
          {canShare && (
            <Button small onClick={() => void share(group, 'share')}>
              {t.inviteShare}
            </Button>
          )}
          <Button kind={canShare ? 'secondary' : 'primary'} small onClick={() => void share(group, 'copy')}>
            {t.inviteCopy}
          </Button>
        </div>
        <p className={css.soft}>{t.inviteCode}</p>
        <p>
          <code className={css.code} translate="no">
            {group.code}
          </code>
        </p>
      </div>
    </Card>
  );
}
