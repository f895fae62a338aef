import { Icon, type IconProps } from '../ui/Icon.tsx';

export function MailIcon(props: IconProps) {
  return (
    <Icon
      {...props}
      d="M4 5.5h16A1.5 1.5 0 0 1 21.5 7v8.5A1.5 1.5 0 0 1 20 17h-8.5L7 21v-4H4a1.5 1.5 0 0 1-1.5-1.5V7A1.5 1.5 0 0 1 4 5.5zM7 9.5h10M7 13h6"
    />
  );
}
