import { tasks } from '../base/task.ts';
import { customerAtom } from '../lib/forget.ts';

/** The card of this checkout, as the provider's token; never stored. */
export const cardAtom = customerAtom<{ token: string; lastFour: string; brand: string } | null>(null);
/** The card is on its way to the provider. Says what is wrong with it, as far as the bank's fields do not. */
export const cardTasks = tasks<'card'>();
/** The bank's page has sent the customer back here, with a card or with one that is none any more. */
export const isBackWithCardAtom = customerAtom(false);
