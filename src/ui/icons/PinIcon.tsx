import { Icon, type IconProps } from '../Icon.tsx';

export function PinIcon(props: IconProps) {
  return (
    <Icon
      {...props}
      d="M12 21.5s7-6.6 7-11.8a7 7 0 1 0-14 0c0 5.2 7 11.8 7 11.8zM12 7.2a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5z"
    />
  );
}
