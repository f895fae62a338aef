import { Icon, type IconProps } from '../Icon.tsx';

export function CheckIcon(props: IconProps) {
  return <Icon {...props} d="M4.5 12.5l5 5 10-11" />;
}
