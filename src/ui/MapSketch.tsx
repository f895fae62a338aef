import css from './MapSketch.module.css';

export interface MapPin {
  kind: 'store' | 'rider' | 'customer';
  label: string;
  latitude: number;
  longitude: number;
}

const WIDTH = 360;
const HEIGHT = 200;
const MARGIN = 44;
const GLYPHS = {
  store: 'M-6-1v7H6v-7M-7.5-2l1.5-4.5h12l1.5 4.5c0 2.7-4 2.7-5 .5-1 2.2-4 2.2-5 0-1 2.2-5 2.2-5-.5z',
  rider: 'M-5 3.5a2 2 0 1 0 0 .01M5 3.5a2 2 0 1 0 0 .01M-3.2 3.5H2.5c0-3 .6-4 1.8-4.5L2.5-6H.5M-7-1.5h5l2 3',
  customer: 'M-6.5-.5L0-6l6.5 5.5M-4.5-1.5V6h9v-7.5M-1.2 6V2h2.4v4',
};

/** Puts places on a flat little map: equirectangular, north up, the same scale both ways, margins kept. */
export function project(pins: readonly MapPin[]): [x: number, y: number][] {
  const middle = (values: number[]) => (Math.min(...values) + Math.max(...values)) / 2;
  const latitude = middle(pins.map((pin) => pin.latitude));
  const longitude = middle(pins.map((pin) => pin.longitude));
  const flat = pins.map((pin) => [(pin.longitude - longitude) * Math.cos((latitude * Math.PI) / 180), latitude - pin.latitude] as const);
  const wide = Math.max(...flat.map(([x]) => Math.abs(x)), 1e-6);
  const high = Math.max(...flat.map(([, y]) => Math.abs(y)), 1e-6);
  const scale = Math.min((WIDTH / 2 - MARGIN) / wide, (HEIGHT / 2 - MARGIN) / high);
  return flat.map(([x, y]) => [Math.round(WIDTH / 2 + x * scale), Math.round(HEIGHT / 2 + y * scale)]);
}

/** Streets that look the same for the same place; they are decoration, the pins' distances are true. */
function streets(seed: number): string {
  let d = '';
  const shift = (step: number) => ((Math.sin(seed * 12.9898 + step * 78.233) * 43758.5453) % 1) * 26;
  for (let i = 0; i < 6; i++) d += `M${i * 72 + shift(i)}-10q${shift(i + 20)} 90 ${shift(i + 40)} 230`;
  for (let i = 0; i < 4; i++) d += `M-10 ${i * 56 + 16 + shift(i + 60)}q180 ${shift(i + 80)} 390 ${shift(i + 90)}`;
  return d;
}

/** A schematic map: `text` says in words what it shows, for example 'The rider is 1.2 km away'. */
export function MapSketch({ pins, text }: { pins: readonly MapPin[]; text: string }) {
  const points = project(pins);
  const at = (kind: MapPin['kind']) => points[pins.findIndex((pin) => pin.kind === kind)];
  const [from, via, to] = [at('store'), at('rider'), at('customer')];
  const leg = (a: [number, number] | undefined, b: [number, number] | undefined) => (a && b ? `M${a}L${b[0]} ${a[1]}L${b}` : '');
  const seed = Math.round((pins[0]?.latitude ?? 0) * 1000 + (pins[0]?.longitude ?? 0) * 100);
  return (
    <figure className={css.map}>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={`${text} ${pins.map((pin) => pin.label).join(', ')}.`}>
        <path className={css.park} d="M230-10q20 60 60 56t90 24v-90zM-10 150q60-30 96 8t20 60h-120z" />
        <path className={css.water} d="M-10 40q70 20 130-8t110-50v-30H-10z" opacity=".6" />
        <path className={css.street} d={streets(seed)} />
        <path className={css.road} d="M-10 128C80 96 140 150 210 112S320 96 380 60M120-10c30 80-20 120 40 230" />
        {via ? (
          <>
            <path className={css.done} d={leg(from, via)} />
            <path className={css.route} d={leg(via, to)} />
          </>
        ) : (
          <path className={css.route} d={leg(from, to)} />
        )}
        {pins.map((pin, i) => (
          <g key={i} className={css.pin} data-kind={pin.kind} style={{ transform: `translate(${points[i]![0]}px,${points[i]![1]}px)` }}>
            {pin.kind === 'rider' && <circle className={css.pulse} r="15" />}
            <circle r="14" />
            <path d={GLYPHS[pin.kind]} />
          </g>
        ))}
      </svg>
      <figcaption>{text}</figcaption>
    </figure>
  );
}
