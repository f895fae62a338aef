import { renderToStaticMarkup, renderToString } from 'react-dom/server';
import { afterEach, expect, it, vi } from 'vitest';
import { rich } from '../../src/ui/rich.ts';
import { mount } from './mount.tsx';

const price = (p: { name: string; amount: string; b: (inner: string) => string; link: (inner: string) => string }) =>
  `${p.link(p.name)} from ${p.b(`only ${p.amount}`)}!`;

afterEach(() => vi.restoreAllMocks());

it('puts elements where the sentence has them, in its own order', () => {
  const element = rich(price, { name: 'Margherita', amount: <i>5</i>, b: <b className="x" />, link: <a href="/m" /> });
  expect(renderToStaticMarkup(element)).toBe(
    '<a href="/m"><text-run>Margherita</text-run></a><text-run> from </text-run><b class="x"><text-run>only </text-run><i>5</i></b><text-run>!</text-run>',
  );
});

it('uses an element as often as the sentence does, and leaves numbers to be counted', () => {
  const twice = (p: { count: number; b: (inner: string) => string }) =>
    `${p.b('one')} and ${p.b(p.count === 1 ? 'dish' : 'dishes')}`;
  expect(renderToStaticMarkup(rich(twice, { count: 2, b: <b /> }))).toBe(
    '<b><text-run>one</text-run></b><text-run> and </text-run><b><text-run>dishes</text-run></b>',
  );
});

it('renders without a warning of missing keys, and hydrates what was rendered before', () => {
  const said = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const element = <p>{rich(price, { name: 'Margherita', amount: <i>5</i>, b: <b />, link: <a href="/m" /> })}</p>;
  const { host } = mount(element);
  expect(host.textContent).toBe('Margherita from only 5!');
  expect(renderToString(element)).toContain('<i>5</i>');
  expect(said).not.toHaveBeenCalled();
});
