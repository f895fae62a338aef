import * as t from '#text/cart.ts';
import { useAtomValue, useSetAtom } from 'jotai';
import { use } from 'react';
import type { Cart } from '../../contract/cart.ts';
import { formatMoney } from '../../domain/money.ts';
import { cartAtom, pendingOptionsAtom } from '../../state/first/cart.ts';
import { setCartOptionsAtom } from '../../state/cart/cart.ts';
import { countryAtom } from '../../state/base/country.ts';
import { Card } from '../../ui/page/Card.tsx';
import { CheckBox } from '../../ui/forms/CheckBox.tsx';
import { Chips } from '../../ui/forms/Chips.tsx';
import { CurrencyContext, Price } from '../../ui/money/Price.tsx';
import css from './CartScreen.module.css';

export function Extras() {
  const cart = useAtomValue(cartAtom);
  const setOptions = useSetAtom(setCartOptionsAtom);
  const pending = useAtomValue(pendingOptionsAtom);
  const bag = useAtomValue(countryAtom).fees.carryBag;
  if (!cart) return null;
  // A tick shows at once, also without a network; its price comes with the next bill.
  const { carryBag = cart.options.carryBag, cutlery = cart.options.cutlery, tip = cart.options.tip } = pending ?? {};
  return (
    <Card title={t.extrasTitle}>
      {cart.deliveryType !== 'DINEIN' && (
        <CheckBox
          label={t.carryBag}
          detail={t.carryBagDetail}
          end={<Price amount={bag} zero={t.free} />}
          checked={carryBag}
          onChange={(isOn) => setOptions({ carryBag: isOn })}
        />
      )}
      <CheckBox
        label={t.cutlery}
        detail={t.cutleryDetail}
        checked={cutlery}
        onChange={(isOn) => setOptions({ cutlery: isOn })}
      />
      {cart.deliveryType === 'DELIVERY' && cart.tipChoices.length > 0 && (
        <Tip choices={cart.tipChoices} chosen={tip} onChoose={(amount) => setOptions({ tip: amount })} />
      )}
    </Card>
  );
}

function Tip({
  choices,
  chosen,
  onChoose,
}: {
  choices: Cart['tipChoices'];
  chosen: number;
  onChoose: (tip: number) => void;
}) {
  const currency = use(CurrencyContext);
  return (
    <div className={css.tip}>
      <p>{t.tipAsk}</p>
      <Chips
        label={t.tip}
        chips={choices.map((amount) => ({ id: String(amount), text: currency ? formatMoney(amount, currency) : '' }))}
        pressed={[String(chosen)]}
        onToggle={(id) => onChoose(Number(id) === chosen ? 0 : Number(id))}
      />
    </div>
  );
}
