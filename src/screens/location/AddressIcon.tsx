import type { AddressInput } from '../../contract/addresses.ts';
import type { IconProps } from '../../ui/pictures/Icon.tsx';
import { HomeIcon, OfficeIcon, PinIcon } from '../../ui/pictures/icons.ts';

const SYMBOLS = { home: HomeIcon, office: OfficeIcon, other: PinIcon };

/** Home, office, or any other place. */
export function AddressIcon({ type, ...icon }: IconProps & { type: AddressInput['type'] }) {
  const Symbol = SYMBOLS[type];
  return <Symbol {...icon} />;
}
