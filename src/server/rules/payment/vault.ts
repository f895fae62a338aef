import type { Call } from '../../call/call.ts';
import { t } from '../../call/language.ts';
import { refuse } from '../../call/refusal.ts';

/**
 * Asks the vault. An error changes nothing and is logged without any card data.
 * @throws Refusal 502 PROVIDER when the vault cannot be reached
 */
export async function atVault<T>(call: Call, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    call.services.log.warn(
      { error: error instanceof Error ? error.name : 'unknown', requestId: call.requestId },
      'the card vault did not answer',
    );
    return refuse(502, 'PROVIDER', t.bankAway);
  }
}
