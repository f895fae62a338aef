import { Icon, type IconProps } from '../Icon.tsx';

export function ClockIcon(props: IconProps) {
  return <Icon {...props} d="M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM12 7v5.2l3.4 2" />;
}
