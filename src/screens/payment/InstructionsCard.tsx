import * as t from '#text/payment.ts';
import { useAtom, useAtomValue, useSetAtom } from 'jotai';
import { detailAtom } from '../../state/drafts/detail.ts';
import { instructionChoices, instructionsAtom, orderNoteAtom } from '../../state/drafts/note.ts';
import { deliveryPlaceAtom, deliveryTypeAtom } from '../../state/first/location.ts';
import { onTrainAtom } from '../../state/trains/onTrain.ts';
import { Chips } from '../../ui/forms/Chips.tsx';
import { Exact } from '../../ui/money/Exact.tsx';
import { Field } from '../../ui/forms/Field.tsx';
import { NameField } from '../base/NameField.tsx';
import { LoadAgain } from '../base/LoadAgain.tsx';
import { Fold } from '../../ui/Fold.tsx';
import { ScooterIcon, StoreIcon } from '../../ui/pictures/icons.ts';
import { Skeleton } from '../../ui/page/Skeleton.tsx';
import { TextArea } from '../../ui/forms/TextArea.tsx';
import type { PaymentForm } from './paymentForm.ts';
import css from './DeliveryCard.module.css';

/** Optional details: wishes for the rider, and where the invoice goes. One line says what is set. */
export function InstructionsCard({ form }: { form: PaymentForm }) {
  const { data } = useAtomValue(instructionChoices.atom);
  const chosen = useAtomValue(instructionsAtom);
  const note = useAtomValue(orderNoteAtom);
  const { lName, email } = useAtomValue(detailAtom);
  const isOnTrain = useAtomValue(onTrainAtom) !== null;
  const isDelivery = useAtomValue(deliveryTypeAtom) === 'DELIVERY' && !isOnTrain;
  const ofAddress = useAtomValue(deliveryPlaceAtom)?.address?.instructions ?? '';
  const set = [
    ...(isDelivery ? (data ?? []).filter(({ id }) => chosen.includes(id)).map(({ label }) => label) : []),
    ...(isDelivery ? [ofAddress, note].filter(Boolean).map((text) => `“${text}”`) : []),
  ];
  return (
    <Fold
      icon={isDelivery ? <ScooterIcon size={20} /> : <StoreIcon size={20} />}
      title={isDelivery ? t.wishes : t.wishesCollect}
      detail={
        set.length > 0 || email ? (
          <>
            {set.length > 0 && <span>{set.join(' · ')}</span>}
            {set.length > 0 && email && ' · '}
            {email && <Exact>{email}</Exact>}
          </>
        ) : undefined
      }
      isOpen={form.open.wishes ?? false}
      onToggle={(isOpen) => form.unfold('wishes', isOpen)}
    >
      {isDelivery && <Rider />}
      <NameField
        part="family"
        id="pay-lName"
        label={t.lastName}
        value={lName}
        onChange={(event) => form.fill('lName', event.target.value)}
      />
      <Field
        id="pay-email"
        label={t.email}
        type="email"
        name="email"
        autoComplete="email"
        spellCheck={false}
        enterKeyHint="done"
        maxLength={120}
        hint={t.emailHint}
        value={email}
        error={form.errors.email}
        onChange={(event) => form.fill('email', event.target.value)}
        onBlur={() => form.leave('email')}
      />
    </Fold>
  );
}

/** Asked once: a note that the address carries already is only shown. */
function Rider() {
  const { data, status, failure } = useAtomValue(instructionChoices.atom);
  const load = useSetAtom(instructionChoices.load);
  const [chosen, setChosen] = useAtom(instructionsAtom);
  const [note, setNote] = useAtom(orderNoteAtom);
  const ofAddress = useAtomValue(deliveryPlaceAtom)?.address?.instructions ?? '';
  return (
    <>
      {!data && status !== 'failed' && <Skeleton height="calc(2.5rem + 8px)" />}
      {!data && status === 'failed' && <LoadAgain failure={failure} onRetry={() => void load()} />}
      {data && data.length > 0 && (
        <Chips
          label={t.forRider}
          chips={data.map(({ id, label }) => ({ id, text: label }))}
          pressed={chosen}
          onToggle={(id) =>
            setChosen((before) => (before.includes(id) ? before.filter((one) => one !== id) : [...before, id]))
          }
        />
      )}
      {ofAddress !== '' && <p className={css.note}>{t.riderKnows({ note: ofAddress })}</p>}
      {(ofAddress === '' || note !== '') && (
        <TextArea
          label={t.riderNote}
          name="note"
          rows={2}
          maxLength={200}
          value={note}
          onChange={(event) => setNote(event.target.value)}
        />
      )}
    </>
  );
}
