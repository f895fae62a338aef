import type { PwaConfig } from '../shape.ts';

/** Manifest data of the installed app of Bangladesh. */
export const pwa: PwaConfig = {
  name: 'Golden Oven Pizza Bangladesh',
  short_name: 'Golden Oven',
  description: 'Order pizza in Bangladesh: menu, coupons, payment and live tracking.',
  lang: 'en-BD',
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
    { name: 'Pizza', url: '/menu/pizza' },
    { name: 'Cart', url: '/cart' },
  ],
};
