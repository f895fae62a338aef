import * as t from '#text/payment.ts';
import { useAtomValue, useSetAtom } from 'jotai';
import { useState } from 'react';
import type { PaymentOption } from '../../contract/payments.ts';
import { typedText } from '../../domain/typedText.ts';
import { choiceOfAtom, chooseWithinAtom } from '../../state/drafts/paymentChoice.ts';
import { isComposing } from '../../ui/forms/composing.ts';
import { Field } from '../../ui/forms/Field.tsx';
import { hasLogo, Logo } from '../../ui/pictures/Logo.tsx';
import { RadioCards } from '../../ui/forms/RadioCards.tsx';
import css from './PaymentModeScreen.module.css';

const FOUND_AT_MOST = 6;

/** The banks, services or apps of a mode: the popular ones as tiles, the others by a search. */
export function Choices({ option, error }: { option: PaymentOption; error?: string | undefined }) {
  const chosen = useAtomValue(choiceOfAtom)(option);
  const choose = useSetAtom(chooseWithinAtom);
  const [typed, setTyped] = useState('');
  const all = option.choices ?? [];
  const wanted = typedText(typed).toLowerCase();
  const found = all.filter(({ label }) => label.toLowerCase().includes(wanted)).slice(0, FOUND_AT_MOST);
  const shown = wanted ? found : all.filter((choice) => choice.isPopular || choice === chosen);
  return (
    <div className={css.choices} id="pay-choice" tabIndex={-1}>
      <RadioCards
        legend={t.choice({ mode: option.id })}
        tiles={wanted === ''}
        value={chosen?.id ?? null}
        onChange={(id) => {
          setTyped('');
          choose(option.id, id);
        }}
        error={error}
        options={shown.map(({ id, label }) => ({
          value: id,
          title: label,
          ...(hasLogo(id) ? { icon: <Logo id={id} /> } : {}),
        }))}
      />
      {all.some((choice) => !choice.isPopular) && (
        <>
          <Field
            label={t.choiceSearch}
            type="search"
            name="bank"
            autoComplete="off"
            spellCheck={false}
            enterKeyHint="search"
            maxLength={40}
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
            // Enter means the one bank that is left, not the payment.
            onKeyDown={(event) => {
              if (event.key !== 'Enter' || isComposing(event.nativeEvent)) return;
              event.preventDefault();
              if (found[0] && wanted) {
                setTyped('');
                choose(option.id, found[0].id);
              }
            }}
          />
          <p className={css.note} role="status">
            {wanted === '' ? '' : t.choicesFound({ count: found.length })}
          </p>
        </>
      )}
    </div>
  );
}
