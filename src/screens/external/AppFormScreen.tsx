import * as t from '#text/full.ts';
import { atom, useAtomValue } from 'jotai';
import { nextStepAtom } from '../../state/orders/orders.ts';
import { originAtom } from '../../state/first/seams.ts';
import { addressAt } from '../../domain/addressAt.ts';
import { Button } from '../../ui/forms/Button.tsx';
import { Column } from '../../ui/page/Page.tsx';
import { enterFormAtom, FormPage, type FormEntered } from './FormPage.tsx';

export const enter = atom(null, (_get, set, entered: FormEntered) => set(enterFormAtom, entered));

/** A payment app in a browser: its own page asks for the money and comes back; what it says is checked with the server. */
export default function AppFormScreen() {
  const step = useAtomValue(nextStepAtom);
  const origin = useAtomValue(originAtom);
  if (step?.kind !== 'redirect' || !step.app) return <FormPage title={t.appUnknown}>{null}</FormPage>;
  return (
    <FormPage title={t.appTitle(step.app)}>
      <Column>
        <p>{t.appHow(step.app)}</p>
        <Button full href={addressAt(origin, step.paymentUrl)} data-leave>
          {t.appContinue(step.app)}
        </Button>
      </Column>
    </FormPage>
  );
}
