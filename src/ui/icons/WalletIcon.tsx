import { Icon, type IconProps } from '../Icon.tsx';

export function WalletIcon(props: IconProps) {
  return (
    <Icon
      {...props}
      d="M4 7.5V17a2 2 0 0 0 2 2h13a1.5 1.5 0 0 0 1.5-1.5V9A1.5 1.5 0 0 0 19 7.5zM4 7.5A2.5 2.5 0 0 1 6.5 5H17v2.5M16.5 13.2h0"
    />
  );
}
