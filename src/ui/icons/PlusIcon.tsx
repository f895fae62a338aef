import { Icon, type IconProps } from '../Icon.tsx';

export function PlusIcon(props: IconProps) {
  return <Icon {...props} d="M12 5v14M5 12h14" />;
}
