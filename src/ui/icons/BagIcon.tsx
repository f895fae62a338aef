import { Icon, type IconProps } from '../Icon.tsx';

export function BagIcon(props: IconProps) {
  return (
    <Icon
      {...props}
      d="M5.2 8h13.6l1 11.2a1.6 1.6 0 0 1-1.6 1.8H5.8a1.6 1.6 0 0 1-1.6-1.8zM8.5 10.5V7a3.5 3.5 0 0 1 7 0v3.5"
    />
  );
}
