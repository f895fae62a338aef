import { Icon, type IconProps } from '../Icon.tsx';

export function WarningIcon(props: IconProps) {
  return <Icon {...props} d="M12 4L2.8 19.7h18.4zM12 10v4.5M12 17.2h0" />;
}
