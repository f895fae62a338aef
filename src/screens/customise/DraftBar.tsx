import * as t from '#text/customise.ts';
import { useAtomValue, useSetAtom } from 'jotai';
import { multiply } from '../../domain/money.ts';
import {
  effectAtom,
  finishDraftAtom,
  setQuantityOfDraftAtom,
  type Draft,
  type DraftResult,
} from '../../state/cart/builder.ts';
import { dealDraftAtom, keepPieceAtom } from '../../state/cart/deals.ts';
import { toastMessageAtom } from '../../state/first/toast.ts';
import { navigateAtom } from '../../state/first/seams.ts';
import { AmountSaid } from '../../ui/money/AmountSaid.tsx';
import { BottomBar } from '../../ui/page/BottomBar.tsx';
import { Button } from '../../ui/forms/Button.tsx';
import { Price } from '../../ui/money/Price.tsx';
import { QuantityStepper } from '../../ui/forms/QuantityStepper.tsx';
import { leave } from './leave.ts';
import css from './CustomiseScreen.module.css';

export function DraftBar({ draft, worked }: { draft: Draft; worked: DraftResult }) {
  const effect = useAtomValue(effectAtom);
  const { go } = useAtomValue(navigateAtom);
  const deal = useAtomValue(dealDraftAtom);
  const [finish, keepPiece, toast, setQuantity] = [
    useSetAtom(finishDraftAtom),
    useSetAtom(keepPieceAtom),
    useSetAtom(toastMessageAtom),
    useSetAtom(setQuantityOfDraftAtom),
  ];
  const { name } = worked.item;
  const onPress = () => {
    if (draft.piece !== null) {
      if (keepPiece()) leave(go, `/combo/${deal?.dealId}`);
      return;
    }
    if (!finish()) return;
    if (draft.lineId) return leave(go, '/cart');
    leave(go, '/menu', () =>
      toast(t.added({ name, count: draft.quantity }), { label: t.viewCart, act: () => go('/cart') }),
    );
  };
  const said = worked.problem ?? effect?.text ?? worked.finished?.choices.slice(-1)[0] ?? t.asRecipe;
  return (
    <BottomBar
      label={t.choice}
      action={
        <Button onClick={onPress}>
          {draft.piece !== null ? t.keep : draft.lineId ? t.update : t.add}{' '}
          {worked.price !== null && draft.piece === null && <Price amount={multiply(worked.price, draft.quantity)} />}
        </Button>
      }
    >
      <p className={css.effect} data-refused={Boolean(worked.problem) || effect?.isRefused || undefined} role="status">
        <span>{said}</span>
        {!worked.problem && effect?.difference ? (
          <b>
            {effect.difference > 0 ? '+' : ''}
            <Price amount={effect.difference} />
          </b>
        ) : null}
      </p>
      {draft.piece === null && (
        <AmountSaid
          amount={worked.price === null ? undefined : multiply(worked.price, draft.quantity)}
          text={t.priceSaid}
        />
      )}
      {draft.piece === null && <QuantityStepper label={name} value={draft.quantity} min={1} onChange={setQuantity} />}
    </BottomBar>
  );
}
