import css from './PizzaRing.module.css';

const [CENTRE, OUTER, CRUST, INNER] = [100, 94, 80, 42];
/** Half of the gap between two slices, in degrees. */
const GAP = 1.6;

const at = (degrees: number, radius: number): string => {
  const angle = ((degrees - 90) * Math.PI) / 180;
  return `${(CENTRE + radius * Math.cos(angle)).toFixed(2)} ${(CENTRE + radius * Math.sin(angle)).toFixed(2)}`;
};
/** A piece of a ring, between two angles and two radii. */
function piece(from: number, to: number, inner: number, outer: number): string {
  const isLarge = to - from > 180 ? 1 : 0;
  return `M${at(from, outer)}A${outer} ${outer} 0 ${isLarge} 1 ${at(to, outer)}L${at(to, inner)}A${inner} ${inner} 0 ${isLarge} 0 ${at(from, inner)}z`;
}

interface PizzaRingProps {
  readonly slices: number;
  /** Whole slices that are there. */
  readonly filled: number;
  /** How much of the next slice is there, 0 to 1. */
  readonly part: number;
  /** Slices that are on their way. */
  readonly waiting?: number;
  /** All of it in words. */
  readonly label: string;
  /** In the middle; the label says it, too. */
  readonly centre: string;
  readonly unit?: string;
  readonly small?: boolean;
}

/** A pizza that fills slice by slice. */
export function PizzaRing({ slices, filled, part, waiting = 0, label, centre, unit, small }: PizzaRingProps) {
  const step = 360 / slices;
  const all = Array.from({ length: slices }, (_, n) => n);
  const from = (n: number) => n * step + GAP;
  const middle = (n: number) => (n + 0.5) * step;
  return (
    <svg className={css.ring} data-small={small} viewBox="0 0 200 200" role="img" aria-label={label}>
      {all.map((n) => (
        <path key={n} className={css.empty} d={piece(from(n), (n + 1) * step - GAP, INNER, OUTER)} />
      ))}
      {all.slice(filled, filled + waiting).map((n) => (
        <path key={n} className={css.waiting} d={piece(from(n), (n + 1) * step - GAP, INNER, OUTER)} />
      ))}
      {part > 0 && filled < slices && (
        <path className={css.cheese} d={piece(from(filled), from(filled) + (step - 2 * GAP) * part, INNER, OUTER)} />
      )}
      {all.slice(0, filled).map((n) => (
        <g key={n} className={css.slice} style={{ animationDelay: `${n * 90}ms` }}>
          <path className={css.crust} d={piece(from(n), (n + 1) * step - GAP, INNER, OUTER)} />
          <path className={css.cheese} d={piece(from(n) + 0.6, (n + 1) * step - GAP - 0.6, INNER + 2, CRUST)} />
          {/* A line without length and with round ends is a dot. */}
          <path className={css.salami} d={`M${at(middle(n) - step / 5, 67)}h0M${at(middle(n) + step / 6, 57)}h0`} />
          <path className={css.herb} d={`M${at(middle(n) + step / 4, 73)}l3 3M${at(middle(n) - step / 9, 50)}l3-3`} />
        </g>
      ))}
      <text className={css.centre} x={CENTRE} y={unit === undefined ? 110 : 103} aria-hidden>
        {centre}
      </text>
      {unit !== undefined && (
        <text className={css.unit} x={CENTRE} y="120" aria-hidden>
          {unit}
        </text>
      )}
    </svg>
  );
}
