import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import type { Railway } from '../../call/railway.ts';

const keyFrom = async (railway: Railway): Promise<Buffer> =>
  createHash('sha256')
    .update(`pnr ${await railway.sealingKey()}`)
    .digest();

/** A PNR as it is stored: AES-256-GCM, with a new nonce each time, so that equal ones look different. */
export async function sealed(railway: Railway, pnr: string): Promise<string> {
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', await keyFrom(railway), nonce);
  const text = Buffer.concat([cipher.update(pnr, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), text]).toString('base64url');
}

/** Null where it was sealed with another key: the railway is then not asked for the seat again. */
export async function unsealed(railway: Railway, text: string): Promise<string | null> {
  const bytes = Buffer.from(text, 'base64url');
  try {
    const cipher = createDecipheriv('aes-256-gcm', await keyFrom(railway), bytes.subarray(0, 12));
    cipher.setAuthTag(bytes.subarray(12, 28));
    return Buffer.concat([cipher.update(bytes.subarray(28)), cipher.final()]).toString('utf8');
  } catch {
    return null;
  }
}
