// Made from en/build.json by `npm run texts`.
export const leftHalf = (p: { dish: string }): string => `Left half: ${p.dish}`;
export const rightHalf = (p: { dish: string }): string => `Right half: ${p.dish}`;
export const sauce = (p: { level: 'none' | 'light' | 'normal' | 'extra'; name: string }): string => (p.level === 'none' ? 'No sauce' : p.level === 'light' ? `Light ${p.name} sauce` : p.level === 'normal' ? `${p.name} sauce` : `Extra ${p.name} sauce`);
export const cheese = (p: { amount: 'none' | 'light' | 'extra' }): string => (p.amount === 'none' ? 'No cheese' : p.amount === 'light' ? 'Light cheese' : 'Extra cheese');
export const topping = (p: { amount: 'none' | 'light' | 'normal' | 'extra' | 'double'; name: string }): string => (p.amount === 'none' ? `No ${p.name}` : p.amount === 'light' ? `Light ${p.name}` : p.amount === 'normal' ? `Add ${p.name}` : p.amount === 'extra' ? `Extra ${p.name}` : `Add double ${p.name}`);
export const onHalf = (p: { half: 'left' | 'right'; choice: string }): string => (p.half === 'left' ? `${p.choice} (left half)` : `${p.choice} (right half)`);
export const sizeMissing = (p: { dish: string }): string => `${p.dish} does not come in this size.`;
export const fixed = (p: { dish: string }): string => `${p.dish} cannot be changed.`;
export const crustNone = (p: { dish: string }): string => `${p.dish} has no crust to choose.`;
export const crustGone = 'This crust is no longer available';
export const crustNotInSize = (p: { dish: string; crust: string }): string => `${p.dish} in this size does not come with ${p.crust}.`;
export const crustNotWith = (p: { dish: string; crust: string }): string => `${p.dish} does not come with ${p.crust}.`;
export const halfGone = 'The second half is no longer on our menu';
export const halfNever = (p: { dish: string }): string => `${p.dish} cannot be half of a pizza.`;
export const halfSize = 'This size is not made half-and-half.';
export const toppingGone = 'One of the toppings is no longer available';
export const toppingNotInSize = (p: { topping: string }): string => `${p.topping} is not offered in this size.`;
export const toppingLimit = (p: { size: string; limit: number }): string => `A ${p.size} pizza holds at most ${p.limit} extra toppings, or it does not bake through. Please take one off.`;
