import { Icon, type IconProps } from '../Icon.tsx';

export function TrainIcon(props: IconProps) {
  return <Icon {...props} d="M7 3.5h10a2 2 0 0 1 2 2v9.5a2.5 2.5 0 0 1-2.5 2.5h-9A2.5 2.5 0 0 1 5 15V5.5a2 2 0 0 1 2-2zM5 10.5h14M8.5 14h0M15.5 14h0M8 17.5l-2.5 3.5M16 17.5l2.5 3.5" />;
}
