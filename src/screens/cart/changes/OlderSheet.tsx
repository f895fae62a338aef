import * as t from '#text/cart.ts';
import { useAtomValue, useSetAtom } from 'jotai';
import { isOlderAskedAtom } from '../../../state/after/cartDiff.ts';
import { profileAtom } from '../../../state/first/seams.ts';
import { Button } from '../../../ui/forms/Button.tsx';
import { Sheet } from '../../../ui/overlays/Sheet.tsx';
import { OlderChoices, OlderDishes } from './Older.tsx';
import css from './Older.module.css';

/** Offered once, when the account's cart has come; closing it in any way adds nothing and loses nothing. */
export default function OlderSheet() {
  const ask = useSetAtom(isOlderAskedAtom);
  const profile = useAtomValue(profileAtom);
  const close = () => ask(false);
  return (
    <Sheet
      title={t.olderTitle}
      onClose={close}
      closeOnOutside={profile.fullMode}
      footer={
        <div className={css.foot}>
          <Button full onClick={close}>
            {t.olderLater}
          </Button>
          <OlderChoices />
        </div>
      }
    >
      <OlderDishes />
    </Sheet>
  );
}
