import { Icon, type IconProps } from '../Icon.tsx';

export function HeartIcon(props: IconProps) {
  return <Icon {...props} d="M12 20s-8-4.9-8-10.6A4.4 4.4 0 0 1 12 7a4.4 4.4 0 0 1 8 2.4C20 15.1 12 20 12 20z" />;
}
