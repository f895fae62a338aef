import * as z from 'zod/mini';
import type { HostContext } from '../../../src/server/call/hosts.ts';
import { httpBase, provider, words } from '../../../src/server/environment.ts';
import { newToken } from '../../../src/server/store/ids.ts';

export const gatewaySettings = provider(
  "Paytm's payment gateway",
  {
    url: { name: 'PAYTM_URL', about: 'address of its interface', as: httpBase },
    mid: { name: 'PAYTM_MID', about: 'our merchant id', as: words },
    key: {
      name: 'PAYTM_KEY',
      about: 'merchant key of 16, 24 or 32 characters',
      as: z.string().check(z.regex(/^([!-~]{16}|[!-~]{24}|[!-~]{32})$/, { error: 'must be 16, 24 or 32 characters' })),
      isSecret: true,
    },
    website: { name: 'PAYTM_WEBSITE', about: 'websiteName that Paytm gave us', as: words },
  },
  { isPayment: true },
);

/** Our merchant id and key at the imitated gateway. */
export const EMBEDDED_MID = 'GoldenOvenDemo001';
export const EMBEDDED_WEBSITE = 'WEBSTAGING';
export const EMBEDDED_KEY = {
  name: 'paytm-key',
  /** As long as a merchant key is. */
  make: () =>
    newToken()
      .replace(/[^A-Za-z0-9]/g, 'x')
      .slice(0, 16),
} as const;

/** Our merchant id and key, and the gateway's address: the imitation on this server where none is configured. */
export interface Merchant {
  readonly url: string;
  readonly mid: string;
  readonly key: string;
  readonly website: string;
  readonly isEmbedded: boolean;
}

export async function merchant({ environment, origin, secret }: HostContext): Promise<Merchant> {
  const own = environment.read(gatewaySettings);
  if (own !== null) return { ...own, isEmbedded: false };
  return {
    url: `${origin()}/vendors/paytm`,
    mid: EMBEDDED_MID,
    key: await secret(EMBEDDED_KEY.name, EMBEDDED_KEY.make),
    website: EMBEDDED_WEBSITE,
    isEmbedded: true,
  };
}
