import { Icon, type IconProps } from '../Icon.tsx';

export function OfflineIcon(props: IconProps) {
  return <Icon {...props} d="M7.5 18.5a4.5 4.5 0 0 1-.6-9M10 6.3a6 6 0 0 1 7.4 4.6 3.9 3.9 0 0 1 1.8 6.9M4 4l16 16.5M7.5 18.5h9" />;
}
