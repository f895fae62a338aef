import { Icon, type IconProps } from '../Icon.tsx';

export function UserIcon(props: IconProps) {
  return <Icon {...props} d="M12 4a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM4.5 20.5c.6-4 3.6-5.7 7.5-5.7s6.9 1.7 7.5 5.7" />;
}
