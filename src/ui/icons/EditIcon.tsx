import { Icon, type IconProps } from '../Icon.tsx';

export function EditIcon(props: IconProps) {
  return <Icon {...props} d="M4 20l.8-4L16 4.8a1.8 1.8 0 0 1 2.6 0l.6.6a1.8 1.8 0 0 1 0 2.6L8 19.2zM14 7l3 3" />;
}
