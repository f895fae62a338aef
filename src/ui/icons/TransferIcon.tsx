import { Icon, type IconProps } from '../Icon.tsx';

export function TransferIcon(props: IconProps) {
  return <Icon {...props} d="M6 20.5l4.5-17L15.5 12zM12.5 20.5l4.5-8.5-2-4" />;
}
