import { useAtomValue } from 'jotai';
import { isOpenAtom } from '../../state/first/config.ts';
import { countryAtom } from '../../state/country.ts';

/** The number to call: as a link, unless the payment app blocks customer support. */
export function Help() {
  const { HELP_DESK_NO } = useAtomValue(countryAtom);
  const isOpen = useAtomValue(isOpenAtom);
  return isOpen('support') ? <a href={`tel:${HELP_DESK_NO.replace(/\s/g, '')}`}>{HELP_DESK_NO}</a> : HELP_DESK_NO;
}
