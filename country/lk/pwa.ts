import type { PwaConfig } from '../shape.ts';

/** Manifest data of the installed app of Sri Lanka. */
export const pwa: PwaConfig = {
  name: 'Golden Oven Pizza Sri Lanka',
  short_name: 'Golden Oven',
  description: 'Order pizza in Sri Lanka: menu, coupons, payment and live tracking.',
  lang: 'en-LK',
  theme_color: '#65ab0b',
  background_color: '#ffffff',
  display: 'standalone',
  orientation: 'portrait',
  categories: ['food', 'shopping'],
  icons: [
    { src: 'icon.svg', sizes: 'any', type: 'image/svg+xml', purpose: 'any' },
    { src: 'icon-maskable.svg', sizes: 'any', type: 'image/svg+xml', purpose: 'maskable' },
  ],
  shortcuts: [
    { name: 'Menu', url: '/menu' },
    { name: 'Bestsellers', url: '/menu/bestsellers' },
    { name: 'Cart', url: '/cart' },
  ],
};
