import { Icon, type IconProps } from '../Icon.tsx';

export function TrainIcon(props: IconProps) {
  return (
    <Icon
      {...props}
      d="M8 3.5h8a3 3 0 0 1 3 3V14a3 3 0 0 1-3 3H8a3 3 0 0 1-3-3V6.5a3 3 0 0 1 3-3zM5 10.5h14M9 13.8h.01M15 13.8h.01M8.6 17 6.5 20.5M15.4 17l2.1 3.5M7.6 18.8h8.8"
    />
  );
}
