import { BankIcon } from '../../ui/icons/BankIcon.tsx';
import { CardIcon } from '../../ui/icons/CardIcon.tsx';
import { CashIcon } from '../../ui/icons/CashIcon.tsx';
import { PhoneIcon } from '../../ui/icons/PhoneIcon.tsx';
import { ShareIcon } from '../../ui/icons/ShareIcon.tsx';
import { TransferIcon } from '../../ui/icons/TransferIcon.tsx';
import { hasLogo, Logo } from '../../ui/Logo.tsx';
import { WalletIcon } from '../../ui/icons/WalletIcon.tsx';

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
