import { Icon, type IconProps } from '../Icon.tsx';

export function TrashIcon(props: IconProps) {
  return (
    <Icon
      {...props}
      d="M4.5 6.5h15M9 6.5V4h6v2.5M6.5 6.5l.9 13a1.5 1.5 0 0 0 1.5 1.4h6.2a1.5 1.5 0 0 0 1.5-1.4l.9-13M10 10.5v6.5M14 10.5v6.5"
    />
  );
}
