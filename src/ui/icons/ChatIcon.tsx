import { Icon, type IconProps } from '../Icon.tsx';

export function ChatIcon(props: IconProps) {
  return <Icon {...props} d="M4 5.5h16v11h-9L6.5 20v-3.5H4zM8 9.5h8M8 12.5h5" />;
}
