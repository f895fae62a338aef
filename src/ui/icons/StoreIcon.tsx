import { Icon, type IconProps } from '../Icon.tsx';

export function StoreIcon(props: IconProps) {
  return (
    <Icon
      {...props}
      d="M4 10v9.5h16V10M3 9.5L4.8 4h14.4L21 9.5c0 1.6-1.2 2.7-2.5 2.7S15.8 11 15.2 9.7c-.5 1.4-1.6 2.5-3.2 2.5s-2.7-1.1-3.2-2.5c-.6 1.3-1.9 2.5-3.3 2.5S3 11.1 3 9.5zM9.5 19.5v-4h5v4"
    />
  );
}
