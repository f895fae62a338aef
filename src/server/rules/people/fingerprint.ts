import { BOT_TOKEN_HEADER } from '../../../contract/challenge.ts';
import type { Fingerprint } from '../../../contract/fingerprint.ts';
import { shortUserAgent } from '../../../domain/device.ts';
import { canonical, deviceHash } from '../../../domain/fingerprint.ts';
import { userIdOf, type Call } from '../../call/call.ts';
import { fingerprintById, forgetFingerprint, putFingerprint } from '../../store/activity.ts';
import { transact, type Db } from '../../store/db.ts';
import { derived, newToken } from '../../store/ids.ts';
import { secret } from '../../store/system.ts';

/**
 * The device that a bot-protection token ('id:hash') was made for; undefined where none of our answers leads to it.
 * Whoever holds it was told it by us: nothing more.
 */
async function deviceOfToken(db: Db, token: string) {
  const [id = '', hash = ''] = token.split(':');
  if (!/^fpr_[\w-]{1,40}$/.test(id) || !/^[0-9a-f]{128}$/.test(hash)) return undefined;
  const known = await fingerprintById(db, id);
  const isTrue =
    known !== undefined && (await deviceHash(JSON.parse(known.data) as Record<string, unknown>, known.value)) === hash;
  return isTrue ? known : undefined;
}

/** What the page said of its browser is not what the browser itself says: somebody has written it. */
const isOtherAgent = (call: Call, { ua }: Fingerprint) => shortUserAgent(call.header('user-agent')).trim() !== ua;

/** Stores a device of the caller. Returns its id and the value from which the client makes its hash. */
export async function recognise(call: Call, data: Fingerprint): Promise<{ id: string; value: string }> {
  const [userId, key] = [userIdOf(call), await secret(call.db, 'fingerprint', newToken)];
  const id = `fpr_${derived(key, `${userId}\n${canonical(data)}`).slice(0, 32)}`;
  const value = derived(key, id);
  const signs = [...(data.bs ?? []), ...(isOtherAgent(call, data) ? ['agent'] : [])].join();
  const before = await deviceOfToken(call.db, call.header(BOT_TOKEN_HEADER));
  const row = { id, userId, data: JSON.stringify(data), value, signs, at: call.now };
  await transact(call.db, (tx) => putFingerprint(tx, row, before?.id ?? null));
  return { id, value };
}

/**
 * Signs of a program that the calling device has shown. None where it shows no fingerprint, or one that is not its
 * caller's: whoever has agreed to nothing is no worse off. It is only a signal: nobody is refused because of it.
 */
export async function signsOf(call: Call): Promise<readonly string[]> {
  const token = call.header(BOT_TOKEN_HEADER);
  const known = token === '' ? undefined : await deviceOfToken(call.db, token);
  return known?.user_id === userIdOf(call) && known.signs !== '' ? known.signs.split(',') : [];
}

/** Forgets the calling device, as a logout does. */
export async function forgetCallingDevice(call: Call): Promise<void> {
  const known = await deviceOfToken(call.db, call.header(BOT_TOKEN_HEADER));
  if (known !== undefined) await forgetFingerprint(call.db, known.id);
}
