import { Icon, type IconProps } from '../Icon.tsx';

export function InfoIcon(props: IconProps) {
  return <Icon {...props} d="M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM12 11v5.5M12 7.7h0" />;
}
