import { Icon, type IconProps } from '../Icon.tsx';

export function OfficeIcon(props: IconProps) {
  return (
    <Icon
      {...props}
      d="M4 8.5h16a1 1 0 0 1 1 1V18a1 1 0 0 1-1 1H4a1 1 0 0 1-1-1V9.5a1 1 0 0 1 1-1zM9 8.5V6.2a1.2 1.2 0 0 1 1.2-1.2h3.600A1.2 1.2 0 0 1 15 6.2v2.300M3 13.2h18M12 12.2v2"
    />
  );
}
