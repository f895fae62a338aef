import { Icon, type IconProps } from '../Icon.tsx';

export function ReceiptIcon(props: IconProps) {
  return <Icon {...props} d="M6 3v18l2-1.5 2 1.5 2-1.5 2 1.5 2-1.5 2 1.5V3zM9 8h6M9 12h6" />;
}
