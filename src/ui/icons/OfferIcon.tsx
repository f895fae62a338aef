import { Icon, type IconProps } from '../Icon.tsx';

export function OfferIcon(props: IconProps) {
  return (
    <Icon
      {...props}
      d="M3.5 9V6.5a1.5 1.5 0 0 1 1.5-1.5h14a1.5 1.5 0 0 1 1.5 1.5V9a3 3 0 0 0 0 6v2.5a1.5 1.5 0 0 1-1.5 1.5H5a1.5 1.5 0 0 1-1.5-1.5V15a3 3 0 0 0 0-6zM9.5 14.5l5-5M9.6 9.6h0M14.4 14.4h0"
    />
  );
}
