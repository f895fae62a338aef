import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { FoodType, DealFoodType, ProductType, Size } from './names.ts';
import { Price } from './price.ts';
import { success } from './reply.ts';

/** Amounts by size: pizzas have R, M and L, everything else ONE. */
const BySize = z.partialRecord(Size, Price);

export const MenuItem = z.object({
  id: z.string(),
  kind: z.enum(['PIZZA', 'MINI', 'SIDE', 'CHICKEN', 'RICE_PASTA', 'DESSERT', 'BEVERAGE', 'DEAL']),
  productType: ProductType,
  name: z.string(),
  /** How the name sounds, in the script of the caller's language, where that is not its own. */
  spoken: z.optional(z.string()),
  description: z.string(),
  /**
   * `description` in the country's first language, where it is told in another: not to be shown, but to be found, as dishes
   * are typed in both.
   */
  english: z.optional(z.string()),
  foodType: DealFoodType,
  categoryIds: z.array(z.string()),
  prices: BySize,
  /** Only if it is above `prices` (specification section 3). */
  originalPrices: z.optional(BySize),
  /** Kilocalories of the whole item in its default build, by size. */
  kcal: z.partialRecord(Size, z.number()),
  /** How much it is: '475 ml', '6 pc', of a combo 'serves 2'. Pizzas have it by size, in the price list. */
  serving: z.optional(z.string()),
  allergens: z.array(z.string()),
  /** From 0 to 3. */
  spice: z.number(),
  jain: z.boolean(),
  jainOnRequest: z.boolean(),
  /**
   * Made without onion and garlic, always or on request; `unstated` if none of its toppings has any, and of its sauce and
   * seasoning it is not known; absent if it has some, or nothing is known.
   */
  noOnionGarlic: z.optional(z.enum(['always', 'onRequest', 'unstated'])),
  /** The least that two people pay for a meal of it; absent for what is no meal. */
  priceForTwo: z.optional(Price),
  tags: z.array(z.string()),
  customisable: z.boolean(),
  sauce: z.optional(z.string()),
  /** Topping ids; an id that is listed twice is an extra portion. */
  defaultToppings: z.array(z.string()),
  crusts: z.array(z.string()),
  soldOut: z.optional(z.boolean()),
  /** Offered instead while this item is sold out. */
  alternativeId: z.optional(z.string()),
  /** Local time of the store, 'HH:MM'; the window may pass midnight. */
  availableFrom: z.optional(z.string()),
  availableTo: z.optional(z.string()),
});
export type MenuItem = z.output<typeof MenuItem>;

export const Category = z.object({
  id: z.string(),
  label: z.string(),
  /** The readable path, for example /menu/veg-pizza. */
  path: z.string(),
});
export type Category = z.output<typeof Category>;

export const Menu = z.object({
  /** Changes whenever anything below changes; also used as the ETag. */
  version: z.string(),
  storeId: z.string(),
  currencyCode: z.string(),
  categories: z.array(Category),
  /** What allergens are called in the caller's language, where that is not their id. */
  allergenNames: z.optional(z.record(z.string(), z.string())),
  items: z.array(MenuItem),
});
export type Menu = z.output<typeof Menu>;

export const Crust = z.object({
  id: z.string(),
  name: z.string(),
  foodType: FoodType,
  sizes: z.array(Size),
  surcharge: BySize,
  /** Added to the item's kilocalories; may be negative. */
  kcal: z.partialRecord(Size, z.number()),
  allergens: z.array(z.string()),
  isDefault: z.boolean(),
});
export type Crust = z.output<typeof Crust>;

export const Topping = z.object({
  id: z.string(),
  name: z.string(),
  foodType: FoodType,
  group: z.enum(['cheese', 'vegetable', 'protein', 'herb']),
  /** For a whole pizza; a half costs 50 %, rounded up to one currency unit; extra costs twice as much. */
  prices: BySize,
  kcal: z.partialRecord(Size, z.number()),
  allergens: z.array(z.string()),
  jainFriendly: z.boolean(),
  /** Whether it contains onion or garlic. */
  onionGarlic: z.optional(z.boolean()),
  spice: z.number(),
  draw: z.object({
    shape: z.string(),
    colour: z.string(),
    countPerSlice: z.number(),
    sizeMm: z.number(),
    edge: z.optional(z.string()),
  }),
});
export type Topping = z.output<typeof Topping>;

/** Everything a pizza can be built from at one store: the price list of the customise screen. */
export const Builder = z.object({
  version: z.string(),
  sizes: z.array(
    z.object({ id: Size, name: z.string(), diameterInches: z.number(), slices: z.number(), serves: z.string() }),
  ),
  crusts: z.array(Crust),
  sauces: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      colour: z.string(),
      allergens: z.array(z.string()),
      jain: z.boolean(),
    }),
  ),
  toppings: z.array(Topping),
  maxExtraToppings: z.partialRecord(Size, z.number()),
  /** Sizes available as half-and-half; the dearer half sets the base price. */
  halfAndHalfSizes: z.array(Size),
  cookingNotes: z.array(z.string()),
});
export type Builder = z.output<typeof Builder>;

const DealSlot = z.object({
  label: z.string(),
  quantity: z.number(),
  size: z.optional(Size),
  /** Dishes that may fill the slot, with the surcharge of each. */
  choices: z.array(z.object({ productId: z.string(), surcharge: Price })),
  /** Preselected product ids, `quantity` of them. */
  defaults: z.array(z.string()),
});
export const Deal = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  foodType: DealFoodType,
  productType: ProductType,
  price: Price,
  originalPrice: z.optional(Price),
  tags: z.array(z.string()),
  slots: z.array(DealSlot),
});
export type Deal = z.output<typeof Deal>;

export const Widget = z.object({
  label: z.string(),
  title: z.string(),
  subtitle: z.optional(z.string()),
  links: z.array(z.object({ href: z.string() })),
});
export type Widget = z.output<typeof Widget>;

/** Menu of a store. `have` is the version the caller holds; if it is current, `menu` is left out (like a 304). */
export const byStore = endpoint({
  method: 'GET',
  path: '/content/ve1/stores/{storeId}/menu',
  access: 'open',
  about: 'Menu of a store from the content bucket.',
  query: z.object({ have: z.optional(z.string()) }),
  reply: success({ version: z.string(), menu: z.optional(Menu) }),
});
export const toppings = endpoint({
  method: 'GET',
  path: '/content/ve1/stores/{storeId}/toppings',
  access: 'open',
  about: 'Sizes, crusts, sauces, toppings and the rules of building.',
  reply: success({ builder: Builder }),
});
export const deals = endpoint({
  method: 'GET',
  path: '/catalog-service/ve1/stores/{storeId}/deals',
  access: 'open',
  about: 'Deals of a store.',
  aliases: ['/catalog-service/ve1/stores/{storeId}/deals/all'],
  reply: success({ deals: z.array(Deal) }),
});
export const deal = endpoint({
  method: 'GET',
  path: '/catalog-service/ve1/stores/{storeId}/deals/{dealId}',
  access: 'open',
  about: 'One deal with its slots and choices.',
  reply: success({ deal: Deal }),
});
export const leftMenu = endpoint({
  method: 'GET',
  path: '/catalog-service/ve1/stores/{storeId}/leftMenu',
  access: 'open',
  about: 'Categories of a store.',
  reply: success({ categories: z.array(Category) }),
});
/** Pages that show widgets. */
const WidgetPage = z.enum(['landing', 'home', 'menu', 'edv']);

/** Landing widgets; the content of each is fetched by its links (specification section 3). */
export const widgets = endpoint({
  method: 'GET',
  path: '/catalog-service/ve1/stores/{storeId}/widget',
  access: 'open',
  about: 'Landing widgets, filtered for the partner by lower-cased label.',
  query: z.object({ page: z.optional(WidgetPage), label: z.optional(z.string().check(z.maxLength(60))) }),
  reply: success({ widgets: z.array(Widget) }),
});
/** A widget's content: product ids of the store's menu, and coupon codes if it shows offers. */
export const widgetContent = endpoint({
  method: 'GET',
  path: '/content/ve1/stores/{storeId}/widgets/{name}',
  access: 'open',
  about: 'What a landing widget shows.',
  reply: success({ title: z.string(), productIds: z.array(z.string()), couponCodes: z.optional(z.array(z.string())) }),
});
