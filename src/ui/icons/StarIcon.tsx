import { Icon, type IconProps } from '../Icon.tsx';

export function StarIcon(props: IconProps) {
  return <Icon {...props} d="M12 3.5l2.6 5.5 6 .8-4.4 4.2 1.1 6-5.3-2.9L6.7 20l1.1-6L3.4 9.8l6-.8z" />;
}
