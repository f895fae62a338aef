import * as t from '#text/payment.ts';
import { useAtom } from 'jotai';
import { useState, type ChangeEvent } from 'react';
import { latinDigits, typedNumber } from '../../domain/typedText.ts';
import { tableAtom } from '../../state/drafts/table.ts';
import { vehicleAtom, type VehicleDraft } from '../../state/drafts/vehicle.ts';
import { Button } from '../../ui/forms/Button.tsx';
import { Field } from '../../ui/forms/Field.tsx';
import { Fold } from '../../ui/Fold.tsx';
import { CarIcon } from '../../ui/pictures/icons.ts';
import { useHandoverProblem } from './handover.ts';
import type { PaymentForm } from './paymentForm.ts';
import css from './DeliveryCard.module.css';

interface HandoverProps {
  type: 'CURB' | 'DINEIN';
  form: PaymentForm;
  onCounter: () => void;
}

/** By what the store's people find the customer: a car or a table. */
export default function HandoverFields({ type, form, onCounter }: HandoverProps) {
  return type === 'CURB' ? <Vehicle form={form} onCounter={onCounter} /> : <Table error={form.errors.handover} />;
}

/** The four digits of a number plate: its last ones where the whole of it was pasted. */
function plateDigits(typed: string): string {
  const digits = latinDigits(typed);
  return /\p{L}/u.test(typed) ? digits.slice(-4) : digits.slice(0, 4);
}

function Vehicle({ form, onCounter }: { form: PaymentForm; onCounter: () => void }) {
  const [vehicle, setVehicle] = useAtom(vehicleAtom);
  const isMissing = useHandoverProblem() !== null;
  // What is being typed does not fold away under the fingers.
  const [isTyped, setTyped] = useState(false);
  const set = (field: keyof VehicleDraft, value: string) => {
    setTyped(true);
    setVehicle((before) => ({ ...before, [field]: value }));
  };
  const bound = (field: 'colour' | 'model') => ({
    name: `vehicle-${field}`,
    autoComplete: 'off',
    value: vehicle[field],
    onChange: (event: ChangeEvent<HTMLInputElement>) => set(field, event.target.value),
  });
  return (
    <Fold
      icon={<CarIcon size={20} />}
      title={t.vehicle}
      detail={isMissing ? undefined : `${vehicle.colour} ${vehicle.model} · ${vehicle.lastFourDigits}`}
      isOpen={form.open.vehicle ?? (isMissing || isTyped)}
      onToggle={(isOpen) => form.unfold('vehicle', isOpen)}
    >
      <div className={css.pair}>
        <Field id="pay-handover" label={t.vehicleColour} maxLength={30} {...bound('colour')} />
        <Field label={t.vehicleModel} maxLength={40} {...bound('model')} />
      </div>
      <Field
        label={t.vehicleDigits}
        name="vehicle-number"
        autoComplete="off"
        inputMode="numeric"
        maxLength={24}
        value={vehicle.lastFourDigits}
        onChange={(event) => set('lastFourDigits', plateDigits(event.target.value))}
      />
      <Button kind="quiet" small onClick={onCounter}>
        {t.vehicleNone}
      </Button>
    </Fold>
  );
}

function Table({ error }: { error: string | undefined }) {
  const [table, setTable] = useAtom(tableAtom);
  return (
    <div className={css.table}>
      <Field
        id="pay-handover"
        label={t.table}
        name="table"
        autoComplete="off"
        inputMode="numeric"
        maxLength={12}
        value={table}
        hint={t.tableHint}
        error={typedNumber(table) === '' ? error : undefined}
        onChange={(event) => setTable(event.target.value)}
      />
    </div>
  );
}
