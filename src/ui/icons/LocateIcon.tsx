import { Icon, type IconProps } from '../Icon.tsx';

export function LocateIcon(props: IconProps) {
  return (
    <Icon
      {...props}
      d="M12 2.5v3.2M12 18.3v3.2M2.5 12h3.2M18.3 12h3.2M12 5.7a6.3 6.3 0 1 0 0 12.6 6.3 6.3 0 0 0 0-12.6zM12 9.8a2.2 2.2 0 1 0 0 4.4 2.2 2.2 0 0 0 0-4.4z"
    />
  );
}
