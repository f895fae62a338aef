import { Icon, type IconProps } from '../Icon.tsx';

export function ScooterIcon(props: IconProps) {
  return (
    <Icon
      {...props}
      d="M6 15a2.7 2.7 0 1 0 0 5.4A2.7 2.7 0 0 0 6 15zM18.5 15a2.7 2.7 0 1 0 0 5.4 2.7 2.7 0 0 0 0-5.4zM8.7 17.7h6.1c0-3 1.2-4.7 3-5.4L15.7 5H13M3 12.5h7l3 4.5M3.5 8h5.5v4.5h-5.5z"
    />
  );
}
