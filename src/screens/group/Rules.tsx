import * as t from '#text/group.ts';
import { useAtomValue, useSetAtom } from 'jotai';
import type { Group } from '../../contract/group.ts';
import { endGroupAtom, groupTasks, ruleGroupAtom } from '../../state/group/group.ts';
import { popupAtom } from '../../state/base/popup.ts';
import { Button } from '../../ui/forms/Button.tsx';
import { Card } from '../../ui/page/Card.tsx';
import { Price } from '../../ui/money/Price.tsx';
import { rich } from '../../ui/rich.ts';
import css from './GroupScreen.module.css';

const MORE_MINUTES = 15;

export function Rules({ group }: { group: Group }) {
  const isBusy = useAtomValue(groupTasks.isBusyAtom);
  const rule = useSetAtom(ruleGroupAtom);
  const end = useSetAtom(endGroupAtom);
  const ask = useSetAtom(popupAtom);
  const isOpen = group.state === 'OPEN';
  return (
    <Card title={t.rulesTitle}>
      <div className={css.stack}>
        <p>{group.limit === null ? t.noLimit : rich(t.limitNow, { amount: <Price amount={group.limit} /> })}</p>
        <div className={css.row}>
          {isOpen && (
            <Button kind="secondary" small busy={isBusy} onClick={() => void rule(group.code, { close: true })}>
              {t.closeNow}
            </Button>
          )}
          <Button
            kind="secondary"
            small
            busy={isBusy}
            onClick={() => void rule(group.code, { moreMinutes: MORE_MINUTES })}
          >
            {(isOpen ? t.openLonger : t.openAgain)({ minutes: MORE_MINUTES })}
          </Button>
          {group.limit !== null && (
            <Button kind="secondary" small busy={isBusy} onClick={() => void rule(group.code, { limit: null })}>
              {t.limitLift}
            </Button>
          )}
          <Button
            kind="secondary"
            small
            onClick={() =>
              ask({
                header: t.callOffAsk,
                message: t.callOffText,
                left: { label: t.callOffNot },
                right: {
                  label: t.callOff,
                  act: () => {
                    void end(group.code);
                  },
                },
              })
            }
          >
            {t.callOff}
          </Button>
        </div>
      </div>
    </Card>
  );
}
