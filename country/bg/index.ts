import { config } from './config.ts';
import { first } from './first.ts';
import type { Country } from '../shape.ts';

/** Bangladesh. The manifest and the translated labels load only when they are needed. */
export const country: Country = {
  ...first,
  ...config,
  pwa: () => import('./pwa.ts').then((module) => module.pwa),
  labels: {
    bn: () => import('./labelsBn.ts').then((module) => module.labels),
  },
};
