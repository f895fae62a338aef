import css from './Icon.module.css';

/** With `label` screen readers announce the icon; without it they skip it. `size` is in CSS pixels. */
export interface IconProps {
  size?: number;
  label?: string;
  fill?: boolean;
}

/** The frame of every icon: 24 units, drawn with one round stroke. */
function Icon({ d, size = 24, label, fill }: IconProps & { d: string }) {
  return (
    <svg
      className={css.icon}
      viewBox="0 0 24 24"
      width={size}
      height={size}
      data-fill={fill}
      role={label ? 'img' : undefined}
      aria-label={label}
      aria-hidden={label ? undefined : true}
    >
      <path d={d} />
    </svg>
  );
}

/** An icon of the table (icons.ts), by its path. */
export const icon = (d: string) =>
  function Named(props: IconProps) {
    return <Icon {...props} d={d} />;
  };
