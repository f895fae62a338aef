import * as t from '#text/order.ts';
import { useAtomValue, useSetAtom } from 'jotai';
import { pushTasks, pushAtom, switchPushOffAtom, switchPushOnAtom } from '../../state/consent/push.ts';
import { Button } from '../../ui/forms/Button.tsx';
import css from './News.module.css';

/** Offers notifications that arrive while the page is closed. The browser is asked only after a tap. */
export default function News() {
  const state = useAtomValue(pushAtom);
  const isBusy = useAtomValue(pushTasks.isBusyAtom);
  const switchOn = useSetAtom(switchPushOnAtom);
  const switchOff = useSetAtom(switchPushOffAtom);
  if (state === 'offered')
    return (
      <Button full kind="secondary" busy={isBusy} onClick={() => void switchOn()}>
        {t.newsStart}
      </Button>
    );
  if (state === 'on')
    return (
      <p className={css.on} role="status">
        {t.newsOn}{' '}
        <Button kind="quiet" small onClick={() => void switchOff()}>
          {t.newsStop}
        </Button>
      </p>
    );
  return null;
}
