import type { Railway } from '../../call/railway.ts';
import { seal, unseal } from '../../store/seal.ts';

const secretOf = async (railway: Railway): Promise<string> => `pnr ${await railway.sealingKey()}`;

/** A PNR as it is stored. */
export async function sealed(railway: Railway, pnr: string): Promise<string> {
  return seal(await secretOf(railway), pnr);
}

/** Null where it was sealed with another key: the railway is then not asked for the seat again. */
export async function unsealed(railway: Railway, text: string): Promise<string | null> {
  return unseal(await secretOf(railway), text);
}
