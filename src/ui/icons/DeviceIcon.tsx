import { Icon, type IconProps } from '../Icon.tsx';

export function DeviceIcon(props: IconProps) {
  return (
    <Icon
      {...props}
      d="M8 3h8a1.5 1.5 0 0 1 1.5 1.5v15A1.5 1.5 0 0 1 16 21H8a1.5 1.5 0 0 1-1.5-1.5v-15A1.5 1.5 0 0 1 8 3zM11 18h2"
    />
  );
}
