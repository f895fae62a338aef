import { Icon, type IconProps } from '../Icon.tsx';

export function CarIcon(props: IconProps) {
  return (
    <Icon
      {...props}
      d="M4 17.5v-4.7l2.2-5.6A2 2 0 0 1 8 6h8a2 2 0 0 1 1.8 1.2l2.2 5.6v4.7zM4.5 12.5h15M5.5 17.5v2M18.5 17.5v2M7.5 15h1M15.5 15h1"
    />
  );
}
