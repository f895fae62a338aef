import { Icon, type IconProps } from '../Icon.tsx';

export function HomeIcon(props: IconProps) {
  return <Icon {...props} d="M4 11l8-7 8 7v8.5a1 1 0 0 1-1 1h-4.5v-6h-5v6H5a1 1 0 0 1-1-1z" />;
}
