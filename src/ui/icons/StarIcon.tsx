import { Icon, type IconProps } from '../Icon.tsx';

export function StarIcon(props: IconProps) {
  return <Icon {...props} d="M12 3.5l2.6 5.4 5.9.8-4.3 4.1 1 5.9-5.2-2.8-5.2 2.8 1-5.9L3.5 9.7l5.9-.8z" />;
}
