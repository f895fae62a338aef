import { Icon, type IconProps } from '../Icon.tsx';

export function MicIcon(props: IconProps) {
  return (
    <Icon {...props} d="M12 3a3 3 0 0 0-3 3v5a3 3 0 0 0 6 0V6a3 3 0 0 0-3-3zM5.5 11a6.5 6.5 0 0 0 13 0M12 17.5V21" />
  );
}
