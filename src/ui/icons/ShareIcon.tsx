import { Icon, type IconProps } from '../Icon.tsx';

export function ShareIcon(props: IconProps) {
  return <Icon {...props} d="M12 15V3.5M8 7l4-3.5L16 7M5 12v7.5h14V12" />;
}
