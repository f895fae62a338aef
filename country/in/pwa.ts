import type { PwaConfig } from '../shape.ts';

/** Manifest data of the installed app of India. */
export const pwa: PwaConfig = {
  name: 'Golden Oven Pizza India',
  short_name: 'Golden Oven',
  description: 'Order pizza in India: menu, coupons, payment and live tracking.',
  lang: 'en-IN',
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
    { name: 'Veg pizza', url: '/menu/veg-pizza' },
    { name: 'Cart', url: '/cart' },
  ],
};
