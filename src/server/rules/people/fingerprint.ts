import type { Fingerprint } from '../../../contract/fingerprint.ts';
import { canonical, deviceHash } from '../../../domain/fingerprint.ts';
import { fingerprintById, putFingerprint } from '../../store/activity.ts';
import type { Db } from '../../store/db.ts';
import { derived, newToken } from '../../store/ids.ts';
import { secret } from '../../store/system.ts';

/** Stores a device of a person. Returns its id and the value from which the client makes its hash. */
export async function recognise(
  db: Db,
  userId: string,
  data: Fingerprint,
  at: number,
): Promise<{ id: string; value: string }> {
  const key = await secret(db, 'fingerprint', newToken);
  const id = `fpr_${derived(key, `${userId}\n${canonical(data)}`).slice(0, 32)}`;
  const value = derived(key, id);
  await putFingerprint(db, { id, userId, data: JSON.stringify(data), value, at });
  return { id, value };
}

/**
 * Whether a bot-protection token ('id:hash') was made from an answer of this server. It is only a signal: nobody is
 * refused because of it.
 */
export async function isKnownDevice(db: Db, token: string): Promise<boolean> {
  const [id = '', hash = ''] = token.split(':');
  const known = /^fpr_[\w-]{1,40}$/.test(id) ? await fingerprintById(db, id) : undefined;
  return (
    known !== undefined && (await deviceHash(JSON.parse(known.data) as Record<string, unknown>, known.value)) === hash
  );
}
