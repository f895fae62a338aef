import type { AddressInput } from '../../contract/addresses.ts';
import type { IconProps } from '../../ui/Icon.tsx';
import { HomeIcon } from '../../ui/icons/HomeIcon.tsx';
import { OfficeIcon } from '../../ui/icons/OfficeIcon.tsx';
import { PinIcon } from '../../ui/icons/PinIcon.tsx';

const SYMBOLS = { home: HomeIcon, office: OfficeIcon, other: PinIcon };

/** Home, office, or any other place. */
export function AddressIcon({ type, ...icon }: IconProps & { type: AddressInput['type'] }) {
  const Symbol = SYMBOLS[type];
  return <Symbol {...icon} />;
}
