import { Icon, type IconProps } from '../Icon.tsx';

export function SeatIcon(props: IconProps) {
  return (
    <Icon
      {...props}
      d="M6.2 4.4a1.7 1.7 0 0 1 3.3-.5l2 8.1h5a2 2 0 0 1 2 2v2.5H9.8a2 2 0 0 1-1.9-1.6zM11 8.2h4.5M10 16.5V20M17 16.5V20"
    />
  );
}
