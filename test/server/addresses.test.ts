import { describe, expect, test } from 'vitest';
import * as errors from '#text/errors.ts';
import * as addresses from '../../src/contract/addresses.ts';
import { engines, startServer } from '../kit/server.ts';

import { logIn } from './people.ts';
import { during } from '../kit/during.ts';

const settings = { quiet: true, distDir: null };

describe.each(await engines())('saved addresses on %s', (engine) => {
  const server = during(() => startServer({ engine, settings }));
  const home = { latitude: 28.6, longitude: 77.2, houseNo: '12', address: 'Rose Street', type: 'home' as const };

  test('are saved, listed, changed and deleted, by id or by number [API-60] [API-61] [API-62]', async () => {
    const user = await logIn(server);
    const { body } = await server.call(addresses.create, { mobNo: user.reply.attributes.mobile!, body: home }, user.as);
    const saved = (body as { address: { address_id: string } }).address;
    expect(saved).toMatchObject(home);
    const byId = await server.call(addresses.create, { mobNo: user.userId, body: { ...home, houseNo: '13' } }, user.as);
    expect(byId.status).toBe(200);
    const list = async () => (await server.call(addresses.list, { userId: user.userId }, user.as)).body.addresses;
    expect((await list()).map(({ houseNo }) => houseNo).sort()).toEqual(['12', '13']);
    expect((await list()).find(({ houseNo }) => houseNo === '12')).toEqual({ ...home, address_id: saved.address_id });
    const changed = await server.call(
      addresses.change,
      { addressId: saved.address_id, body: { ...home, type: 'office' } },
      user.as,
    );
    expect((changed.body as { address: object }).address).toMatchObject({
      type: 'office',
      address_id: saved.address_id,
    });
    expect((await server.call(addresses.remove, { addressId: saved.address_id }, user.as)).status).toBe(200);
    expect((await server.call(addresses.remove, { addressId: saved.address_id }, user.as)).status).toBe(404);
    expect((await list()).map(({ houseNo }) => houseNo)).toEqual(['13']);
  });

  test("somebody else's is not there, in the same words as one that never was", async () => {
    const [owner, thief] = [await logIn(server), await logIn(server)];
    const { body } = await server.call(addresses.create, { mobNo: owner.userId, body: home }, owner.as);
    const { address_id: addressId } = (body as { address: { address_id: string } }).address;
    // The very same address of another person is that person's own.
    const own = await server.call(addresses.create, { mobNo: thief.userId, body: home }, thief.as);
    expect((own.body as { address: { address_id: string } }).address.address_id).not.toBe(addressId);
    const told = (answer: { status: number; body: unknown }) => [
      answer.status,
      { ...(answer.body as object), requestId: '' },
    ];
    for (const answer of [
      [
        await server.call(addresses.change, { addressId, body: home }, thief.as),
        await server.call(addresses.change, { addressId: 'adr_none', body: home }, thief.as),
      ],
      [
        await server.call(addresses.remove, { addressId }, thief.as),
        await server.call(addresses.remove, { addressId: 'adr_none' }, thief.as),
      ],
      [
        await server.call(addresses.list, { userId: owner.userId }, thief.as),
        await server.call(addresses.list, { userId: 'user_none' }, thief.as),
      ],
      [
        await server.call(addresses.create, { mobNo: owner.reply.attributes.mobile!, body: home }, thief.as),
        await server.call(addresses.create, { mobNo: '9000000000', body: home }, thief.as),
      ],
    ] as const) {
      expect(told(answer[0])).toEqual(told(answer[1]));
      expect(answer[0].status).toBe(404);
    }
    expect(
      ((await server.call(addresses.list, { userId: owner.userId }, owner.as)).body as { addresses: unknown[] })
        .addresses,
    ).toHaveLength(1);
  });

  test("an empty field is named with the specification's sentence [ERR-44]", async () => {
    const user = await logIn(server);
    const answer = await server.call(
      addresses.create,
      { mobNo: user.userId, body: { ...home, houseNo: '  ' } },
      user.as,
    );
    expect(answer.status).toBe(400);
    expect(answer.body.errors?.[0]).toMatchObject({ field: 'houseNo', displayMsg: 'This field cannot be left empty' });
    const other = await server.call(
      addresses.create,
      { mobNo: user.userId, body: { ...home, type: 'other' } },
      user.as,
    );
    expect([other.status, other.body.errors?.[0]?.field]).toEqual([422, 'label']);
  });

  test('a house with the area alone is refused, for a street or a landmark is missing; the area in other words too', async () => {
    const user = await logIn(server);
    const at = { latitude: 12.9719, longitude: 77.6412, houseNo: '12A', type: 'home' as const };
    const send = (body: object) =>
      server.call(addresses.create, { mobNo: user.userId, body: { ...home, ...at, ...body } }, user.as);
    for (const address of [
      'Indiranagar, Bengaluru, 560038',
      'Near Indiranagar, Bangalore',
      'indiranagar',
      'ಇಂದಿರಾನಗರ, 560038, India',
      '560038',
    ]) {
      const { status, body } = await send({ address });
      expect([address, status, body.errors?.[0]]).toMatchObject([
        address,
        422,
        { code: 'STREET_MISSING', field: 'address', displayMsg: errors.streetMissing },
      ]);
    }
    expect((await send({ address: 'Indiranagar, Bengaluru', landmark: 'Opposite the metro station' })).status).toBe(
      200,
    );
    for (const address of ['80 Feet Road, Indiranagar, Bengaluru', 'Brigade Road, Bengaluru', '12ನೇ ಮುಖ್ಯ ರಸ್ತೆ, ಇಂದಿರಾನಗರ'])
      expect([address, (await send({ address })).status]).toEqual([address, 200]);
    const dash = await send({ houseNo: '-', address: '80 Feet Road' });
    expect([dash.status, dash.body.errors?.[0]?.field]).toEqual([422, 'houseNo']);
  });

  test('the same address sent ten times at once is saved once', async () => {
    const user = await logIn(server);
    await Promise.all(
      Array.from({ length: 10 }, () => server.call(addresses.create, { mobNo: user.userId, body: home }, user.as)),
    );
    expect(
      ((await server.call(addresses.list, { userId: user.userId }, user.as)).body as { addresses: unknown[] })
        .addresses,
    ).toHaveLength(1);
  });
});
