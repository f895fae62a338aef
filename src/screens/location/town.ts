export interface At { readonly latitude: number; readonly longitude: number }

/** Metres of a degree of latitude. */
export const METRES_PER_DEGREE = 111_320;
const STREET_EVERY_M = 150;
const ROAD_EVERY = 5;
/** Closer together than this, in units of the drawing, streets would only be noise. */
const LEAST_GAP = 26;

/** Metres east and south of a corner of the world; the same for the same place, whoever looks. */
export function metres({ latitude, longitude }: At): { x: number; y: number; narrow: number } {
  const narrow = Math.cos((Math.round(latitude) * Math.PI) / 180);
  return { x: longitude * narrow * METRES_PER_DEGREE, y: -latitude * METRES_PER_DEGREE, narrow };
}

/** Between 0 and 1, always the same for a pair of numbers. */
function chance(a: number, b: number): number {
  const value = Math.sin(a * 127.1 + b * 311.7) * 43_758.5453;
  return value - Math.floor(value);
}

export interface Town { readonly streets: string; readonly roads: string; readonly parks: readonly string[]; readonly river: string; /** Stroke widths. */ readonly street: number; readonly road: number; readonly water: number }

/** A town that could be there, `scaleM` metres to a unit: streets are decoration, distances are true. */
export function drawTown(centre: At, scaleM: number, width: number, height: number): Town {
  const { x, y } = metres(centre);
  const halfX = (width / 2) * scaleM;
  const halfY = (height / 2) * scaleM;
  let every = STREET_EVERY_M;
  while (every / scaleM < LEAST_GAP) every *= ROAD_EVERY;
  const grain = every / STREET_EVERY_M;
  const px = (atX: number, atY: number) => `${((atX - x) / scaleM + width / 2).toPrecision(5)} ${((atY - y) / scaleM + height / 2).toPrecision(5)}`;
  const lines = { streets: '', roads: '' };
  const line = (index: number, isDown: boolean, middle: number, half: number, along: number, reach: number) => {
    const own = index * every + (chance(index, isDown ? 1 : 2) - 0.5) * 70 * grain;
    if (Math.abs(own - middle) > half + 80 * grain) return;
    let d = '';
    for (let step = 0; step <= 8; step += 1) {
      const position = along - (reach + 60 * grain) + ((2 * reach + 120 * grain) * step) / 8;
      const bend = own + Math.sin(position / (260 * grain) + chance(index, 3) * 6.3) * 22 * grain;
      d += `${step === 0 ? 'M' : 'L'}${isDown ? px(bend, position) : px(position, bend)}`;
    }
    lines[index % ROAD_EVERY === 0 ? 'roads' : 'streets'] += d;
  };
  for (let index = Math.floor((x - halfX) / every) - 1; index <= (x + halfX) / every + 1; index += 1) line(index, true, x, halfX, y, halfY);
  for (let index = Math.floor((y - halfY) / every) - 1; index <= (y + halfY) / every + 1; index += 1) line(index, false, y, halfY, x, halfX);

  const block = every * ROAD_EVERY;
  const parks: string[] = [];
  for (let column = Math.floor((x - halfX) / block) - 1; column <= (x + halfX) / block; column += 1) {
    for (let row = Math.floor((y - halfY) / block) - 1; row <= (y + halfY) / block; row += 1) {
      if (chance(column, row) > 0.4) continue;
      const left = column * block + (130 + chance(column, row + 5) * 180) * grain;
      const top = row * block + (130 + chance(column + 5, row) * 180) * grain;
      const wide = (160 + chance(row, column) * 220) * grain;
      parks.push(`M${px(left, top + 40 * grain)}Q${px(left + wide / 2, top - 30 * grain)} ${px(left + wide, top + 30 * grain)}T${px(left + wide - 20 * grain, top + 210 * grain)}Q${px(left + wide / 3, top + 250 * grain)} ${px(left, top + 190 * grain)}Z`);
    }
  }
  let river = '';
  const bed = Math.round(x / (4_000 * grain)) * 4_000 * grain;
  for (let step = 0; step <= 16; step += 1) {
    const position = y - (halfY + 100 * grain) + ((2 * halfY + 200 * grain) * step) / 16;
    river += `${step === 0 ? 'M' : 'L'}${px(bed + Math.sin(position / (900 * grain)) * 420 * grain, position)}`;
  }
  const thick = scaleM / grain;
  return { ...lines, parks, river, street: Math.max(3, 9 / thick), road: Math.max(5, 16 / thick), water: 70 / thick };
}
