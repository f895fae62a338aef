import { config } from './config.ts';
import type { Country } from '../shape.ts';

/** Bangladesh. Search-engine data, manifest, call registry and translated labels load when they are asked for. */
export const country: Country = {
  ...config,
  api: { ...config.api, paths: () => import('./registry.ts').then((module) => module.paths) },
  seo: () => import('./seo.ts').then((module) => module.seo),
  pwa: () => import('./pwa.ts').then((module) => module.pwa),
  labels: {
    bn: () => import('./labelsBn.ts').then((module) => module.labels),
  },
};
