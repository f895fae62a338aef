import { config } from './config.ts';
import { first } from './first.ts';
import type { CountryData } from '../shape.ts';

/** Bangladesh. The manifest loads only when it is needed. */
export const country: CountryData = {
  ...first,
  ...config,
  pwa: () => import('./pwa.ts').then((module) => module.pwa),
};
