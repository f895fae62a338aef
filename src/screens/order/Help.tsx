import { useAtomValue } from 'jotai';
import { isOpenAtom } from '../../state/first/config.ts';
import { writtenPhone } from '../../domain/phone.ts';
import { countryAtom } from '../../state/country.ts';

/** The number to call: as a link, unless the payment app blocks customer support. */
export function Help() {
  const country = useAtomValue(countryAtom);
  const number = writtenPhone(country.HELP_DESK_NO, country);
  const isOpen = useAtomValue(isOpenAtom);
  return isOpen('support') ? <a href={`tel:${number.replace(/\D/g, '')}`}>{number}</a> : <span>{number}</span>;
}
