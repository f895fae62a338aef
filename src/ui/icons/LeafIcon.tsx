import { Icon, type IconProps } from '../Icon.tsx';

export function LeafIcon(props: IconProps) {
  return <Icon {...props} d="M5 19c0-9 5-14 15-14 .5 10-4.5 15-12 14.5M4 21c2-5 5-8 9-10" />;
}
