import type { PwaConfig } from '../shape.ts';

/** Manifest data of the installed app of India. */
export const pwa: PwaConfig = {
  short_name: 'Golden Oven',
  theme_color: '#65ab0b',
  background_color: '#ffffff',
  display: 'standalone',
  orientation: 'portrait',
  categories: ['food', 'shopping'],
  icons: [
    { src: 'icon.svg', sizes: 'any', type: 'image/svg+xml', purpose: 'any' },
    { src: 'icon-maskable.svg', sizes: 'any', type: 'image/svg+xml', purpose: 'maskable' },
  ],
  shortcuts: ['/menu', '/menu/veg-pizza', '/cart'],
};
