import { Icon, type IconProps } from '../Icon.tsx';

export function TableIcon(props: IconProps) {
  return <Icon {...props} d="M3 9h18M5.5 9l-1 11M18.5 9l1 11M12 9v11M8.5 20h7M8 5.5h8" />;
}
