import { drawTown, type At } from './town.ts';
import css from './TownSketch.module.css';

/** The ground of a drawn map, for inside an svg of that size. */
export function TownSketch({ centre, scaleM, width, height }: { centre: At; scaleM: number; width: number; height: number }) {
  const town = drawTown(centre, scaleM, width, height);
  return (
    <g fill="none" strokeLinecap="round" strokeLinejoin="round">
      <rect className={css.ground} width={width} height={height} />
      <path className={css.river} d={town.river} strokeWidth={town.water} />
      {town.parks.map((d, index) => <path key={index} className={css.park} d={d} />)}
      <path className={css.street} d={town.streets} strokeWidth={town.street} />
      <path className={css.edge} d={town.roads} strokeWidth={town.road + 3} />
      <path className={css.road} d={town.roads} strokeWidth={town.road} />
    </g>
  );
}
