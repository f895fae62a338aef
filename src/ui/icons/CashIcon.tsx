import { Icon, type IconProps } from '../Icon.tsx';

export function CashIcon(props: IconProps) {
  return <Icon {...props} d="M3 6.5h18v11H3zM12 9.2a2.8 2.8 0 1 0 0 5.6 2.8 2.8 0 0 0 0-5.6zM6 12h0M18 12h0" />;
}
