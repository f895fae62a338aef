import { Icon, type IconProps } from '../Icon.tsx';

export function FlameIcon(props: IconProps) {
  return (
    <Icon
      {...props}
      d="M12 21.5c-3.9 0-6.5-2.6-6.5-6.2 0-3 2-4.6 2.9-6.9.9 1 1.4 1.7 1.6 3 1.8-2.1 2.8-5 2.2-8.4 3.9 2.3 6.3 6.6 6.3 11.2 0 4.4-2.6 7.3-6.5 7.3z"
    />
  );
}
