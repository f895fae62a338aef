import { useAtomValue } from 'jotai';
import { isOpenAtom } from '../../state/first/config.ts';
import { writtenPhone } from '../../domain/writtenPhone.ts';
import { countryAtom } from '../../state/base/country.ts';
import { Exact } from '../../ui/money/Exact.tsx';

/** The number to call: as a link, unless the payment app blocks customer support. */
export function HelpNumber() {
  const country = useAtomValue(countryAtom);
  const number = writtenPhone(country.HELP_DESK_NO, country);
  const isOpen = useAtomValue(isOpenAtom);
  return isOpen('support') ? (
    <a href={`tel:${number.replace(/\D/g, '')}`} translate="no">
      {number}
    </a>
  ) : (
    <Exact>{number}</Exact>
  );
}
