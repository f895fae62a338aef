import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const read = (name: string) => readFileSync(new URL(`../../src/ui/${name}`, import.meta.url), 'utf8');
const tokens = read('tokens.css');

/** Custom properties of one block of the sheet. */
function block(after: string): Map<string, string> {
  expect(tokens).toContain(after);
  const from = tokens.indexOf(':root {', tokens.indexOf(after));
  return new Map(
    [...tokens.slice(from, tokens.indexOf('}', from)).matchAll(/--([\w-]+):\s*([^;]+);/g)].map((found) => [
      found[1]!,
      found[2]!,
    ]),
  );
}
const light = block(':root');
const dark = new Map([...light, ...block('prefers-color-scheme: dark')]);

type Colour = [number, number, number];
function colour(text: string): Colour {
  const rgb = text.match(/^rgb\((\d+), (\d+), (\d+)\)$/);
  if (rgb) return [Number(rgb[1]), Number(rgb[2]), Number(rgb[3])];
  const hex = text.length === 4 ? text.replace(/\w/g, '$&$&') : text;
  return [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)) as Colour;
}
const grey = ([r, g, b]: Colour): Colour => Array(3).fill(0.2126 * r + 0.7152 * g + 0.0722 * b) as Colour;
function luminance(of: Colour): number {
  const [r, g, b] = of.map((value) =>
    value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4,
  ) as Colour;
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
function contrast(a: Colour, b: Colour): number {
  const [dim, bright] = [luminance(a), luminance(b)].sort((x, y) => x - y) as [number, number];
  return (bright + 0.05) / (dim + 0.05);
}

const PAIRS = [
  ['ink', 'paper'],
  ['ink', 'card'],
  ['ink', 'sunken'],
  ['ink-soft', 'paper'],
  ['ink-soft', 'card'],
  ['ink-soft', 'sunken'],
  ['lime-ink', 'paper'],
  ['lime-ink', 'card'],
  ['lime-ink', 'lime-soft'],
  ['red-ink', 'card'],
  ['red-ink', 'red-soft'],
  ['blue-ink', 'paper'],
  ['blue-ink', 'blue-soft'],
  ['sun-ink', 'card'],
  ['sun-ink', 'sun-soft'],
  ['on-lime', 'lime'],
  ['on-red', 'red-fill'],
  ['paper', 'ink'],
] as const;

test.each([
  ['light', light],
  ['dark', dark],
])('text keeps a contrast of 4.5 in the %s theme, in colour and in grayscale [NAV-71]', (_, theme) => {
  for (const [front, back] of PAIRS) {
    const [a, b] = [colour(theme.get(front)!), colour(theme.get(back)!)];
    expect(contrast(a, b), `${front} on ${back}`).toBeGreaterThanOrEqual(4.5);
    expect(contrast(grey(a), grey(b)), `${front} on ${back} in grey`).toBeGreaterThanOrEqual(4.5);
  }
});

test('while offline the page and its dialogs are grey [NAV-71]', () => {
  expect(read('base.css')).toMatch(/html\[data-offline\],\s*html\[data-offline\] dialog \{\s*filter: grayscale\(1\);/);
});

test('popups are 75vw wide, 50vw on medium and 30vw on large screens, their body at most 18.75em [NAV-84]', () => {
  expect(light.get('popup-width')).toBe('75vw');
  expect(block('min-width: 481px').get('popup-width')).toBe('50vw');
  expect(block('min-width: 771px').get('popup-width')).toBe('30vw');
  expect(light.get('popup-body')).toBe('18.75em');
  expect(read('overlays/Dialog.module.css')).toContain('width: var(--popup-width)');
  expect(read('overlays/Popup.module.css')).toContain('max-height: var(--popup-body)');
});

test("the theme is the specification's: three colours, 3px buttons, fonts of 10 to 20px, two layers [CFG-45]", () => {
  expect([light.get('lime'), light.get('red'), light.get('blue')]).toEqual([
    'rgb(101, 171, 11)',
    'rgb(220, 78, 65)',
    '#0066a7',
  ]);
  expect(light.get('radius-button')).toBe('3px');
  expect([light.get('layer-bar'), light.get('layer-over')]).toEqual(['99', '9999']);
  const sizes = [...light].filter(([name]) => name.startsWith('font-')).map(([, size]) => Number.parseFloat(size) * 16);
  expect(sizes.length).toBeGreaterThan(3);
  for (const size of sizes) expect(size >= 10 && size <= 20).toBe(true);
});
