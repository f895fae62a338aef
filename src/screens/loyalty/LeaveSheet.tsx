import * as t from '#text/loyalty.ts';
import { useAtomValue, useSetAtom } from 'jotai';
import type { LoyaltyUser } from '../../contract/loyalty.ts';
import { loyaltyTasks, optOutAtom } from '../../state/offers/loyalty.ts';
import { Button } from '../../ui/forms/Button.tsx';
import { Actions } from '../../ui/page/Page.tsx';
import { Sheet } from '../../ui/overlays/Sheet.tsx';
import { showTop } from '../../ui/overlays/showTop.ts';
import css from './RewardsScreen.module.css';

/** Says what is lost before somebody leaves the programme. */
export function LeaveSheet({ loyalty, onClose }: { loyalty: LoyaltyUser; onClose: () => void }) {
  const leave = useSetAtom(optOutAtom);
  const isLeaving = useAtomValue(loyaltyTasks.busyAtom) === 'leave';
  const { balance, waiting, info } = loyalty;
  const { freeItems: count } = balance.burnable;
  return (
    <Sheet
      title={t.leaveTitle({ program: info.programName })}
      onClose={onClose}
      footer={
        <Actions>
          <Button full onClick={onClose}>
            {t.leaveStay}
          </Button>
          <Button
            full
            kind="danger"
            busy={isLeaving}
            onClick={() =>
              void leave().then((hasLeft) => {
                if (!hasLeft) return;
                onClose();
                // The sheet gives the focus back to a button that went with the membership.
                requestAnimationFrame(showTop);
              })
            }
          >
            {t.leaveDo}
          </Button>
        </Actions>
      }
    >
      <div className={css.loses}>
        <p>{t.leaveLoses({ points: balance.overall.points })}</p>
        {count > 0 && <p>{t.leaveReward({ count })}</p>}
        {waiting.length > 0 && <p>{t.leaveWaiting}</p>}
        <p>{t.leaveAgain}</p>
      </div>
    </Sheet>
  );
}
