import {
  BankIcon,
  CardIcon,
  CashIcon,
  PhoneIcon,
  ShareIcon,
  TransferIcon,
  WalletIcon,
} from '../../ui/pictures/icons.ts';
import { hasLogo, Logo } from '../../ui/pictures/Logo.tsx';

const ICONS: Readonly<Record<string, typeof CardIcon>> = {
  CARD: CardIcon,
  COD: CashIcon,
  UPI: TransferIcon,
  NETBANKING: BankIcon,
  MFS: PhoneIcon,
  LINK: ShareIcon,
};

export function ModeIcon({ mode }: { mode: string }) {
  const Icon = ICONS[mode] ?? WalletIcon;
  return hasLogo(mode) ? <Logo id={mode} /> : <Icon />;
}
