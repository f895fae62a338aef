import * as t from '#text/location.ts';
import type { Flow } from '../../state/places/stores.ts';
import { href } from '../../ui/href.ts';

interface Back {
  readonly label: string;
  readonly href: string;
}

/** The Back link: to the cart or to the saved addresses when the customer came from there, else to `elsewhere`. */
export function backOf(flow: Flow, elsewhere: Back): Back {
  if (flow.from === 'cart') return { label: t.backToCart, href: href('/cart') };
  if (flow.fromProfile) return { label: t.backToAddresses, href: href('/postorder-ui/myAddresses?fromProfile=true') };
  return elsewhere;
}
