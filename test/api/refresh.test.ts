import { expect, test } from 'vitest';
import { Failure } from '../../src/api/failure.ts';
import type { Identity } from '../../src/api/headers.ts';
import { createRefresher } from '../../src/api/refresh.ts';
import type { SessionReply } from '../../src/contract/session.ts';

const credentials = (name: string, refreshToken?: string) =>
  ({
    accessToken: name,
    authToken: name,
    sessionToken: name,
    ...(refreshToken ? { refreshToken } : {}),
  }) as NonNullable<Identity['credentials']>;
const nobody: Identity = { credentials: null, userId: '', mobile: '', storeId: '', deliveryType: '' };

/** A device whose server answers a renewal when it is told to. */
function device(identity: Identity) {
  let now = identity;
  const renewed: SessionReply[] = [];
  const { promise, resolve, reject } = Promise.withResolvers<unknown>();
  const isAsked = Promise.withResolvers<void>();
  let asked = 0;
  const refresher = createRefresher({
    apiKey: 'in-web',
    identity: () => now,
    renewed: (reply) => void renewed.push(reply),
    ended: () => {},
    unrenewed: () => {},
    plain: (async () => {
      asked += 1;
      isAsked.resolve();
      // What a guest gets anew after a refusal is answered at once.
      return asked === 1 ? await promise : { credentials: credentials('another guest') };
    }) as never,
  });
  return {
    refresher,
    renewed,
    resolve,
    reject,
    isAsked: isAsked.promise,
    becomes: (next: Identity) => void (now = next),
  };
}

const guest: Identity = { ...nobody, credentials: credentials('guest'), userId: 'g' };
const login: Identity = { ...nobody, credentials: credentials('login', 'r'), userId: 'u' };

test.each([
  ['a guest renewed', guest, login, 'answered'],
  ['a guest renewed, whom the server knows no more', guest, login, 'refused'],
  ['a first guest', nobody, login, 'answered'],
  ['a login renewed', login, nobody, 'answered'],
] as const)(
  '%s too late takes nobody’s place who came meanwhile, here or in another tab',
  async (_who, before, after, how) => {
    const { refresher, renewed, resolve, reject, isAsked, becomes } = device(before);
    const renewal = refresher.renew(before.credentials?.accessToken ?? '');
    await isAsked;
    becomes(after);
    if (how === 'answered') resolve({ credentials: credentials('late') });
    else reject(new Failure('refused', { errors: [] }));
    await renewal;
    expect(renewed).toEqual([]);
  },
);

test('a renewal in time is taken', async () => {
  const { refresher, renewed, resolve } = device(guest);
  const renewal = refresher.renew('guest');
  resolve({ credentials: credentials('next') });
  await renewal;
  expect(renewed).toHaveLength(1);
});
