import { useAtomValue } from 'jotai';
import { isOpenAtom } from '../../state/config.ts';
import { countryAtom } from '../../state/seams.ts';

/** The number to call: a link where customer support is open to a page; a payment app's blocked list closes it. */
export function Help() {
  const { HELP_DESK_NO } = useAtomValue(countryAtom);
  const isOpen = useAtomValue(isOpenAtom);
  return isOpen('support') ? <a href={`tel:${HELP_DESK_NO.replace(/\s/g, '')}`}>{HELP_DESK_NO}</a> : HELP_DESK_NO;
}
