import { useAtomValue, useSetAtom } from 'jotai';
import { isPushBusyAtom, pushAtom, switchPushOffAtom, switchPushOnAtom } from '../../state/push.ts';
import { Button } from '../../ui/Button.tsx';
import css from './Progress.module.css';

/** News without an open page: offered where an order is waited for, asked of the browser only after a tap. */
export function News() {
  const state = useAtomValue(pushAtom);
  const isBusy = useAtomValue(isPushBusyAtom);
  const switchOn = useSetAtom(switchPushOnAtom);
  const switchOff = useSetAtom(switchPushOffAtom);
  if (state === 'offered') return <Button full kind="secondary" busy={isBusy} onClick={() => void switchOn()}>Tell me when it is on its way</Button>;
  if (state === 'on') return <p className={css.soft} role="status">This browser tells you when your order is on its way. <Button kind="quiet" small onClick={() => void switchOff()}>Stop that</Button></p>;
  return null;
}
