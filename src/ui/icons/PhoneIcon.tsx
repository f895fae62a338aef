import { Icon, type IconProps } from '../Icon.tsx';

export function PhoneIcon(props: IconProps) {
  return (
    <Icon
      {...props}
      d="M6 3.5h3l1.6 4.4-2.2 1.7a12 12 0 0 0 6 6l1.7-2.2 4.4 1.6v3a2 2 0 0 1-2.2 2A17 17 0 0 1 4 5.7a2 2 0 0 1 2-2.2z"
    />
  );
}
