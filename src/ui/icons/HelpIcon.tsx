import { Icon, type IconProps } from '../Icon.tsx';

export function HelpIcon(props: IconProps) {
  return (
    <Icon
      {...props}
      d="M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM9.5 9.5a2.5 2.5 0 1 1 3.6 2.2c-.7.4-1.1.9-1.1 1.8M12 16.8v.1"
    />
  );
}
