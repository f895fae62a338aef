import { describe, expect, test } from 'vitest';
import * as favourites from '../../src/contract/favourites.ts';
import { engines, startServer } from '../kit/server.ts';
import { codeOf, freshMobile, guest, logIn, type Person } from './people.ts';
import { during } from '../kit/during.ts';

describe.each(await engines())('favourite dishes on %s', (engine) => {
  const server = during(() => startServer({ engine }));

  const add = (who: Person, productId: string) => server.call(favourites.addProduct, { body: { productId } }, who.as);
  const list = async (who: Person) => (await server.call(favourites.products, {}, who.as)).body.productIds;

  test("added once, taken away once, each person's own [MENU-10] [API-66]", async () => {
    const who = await guest(server);
    expect(await list(who)).toEqual([]);
    await add(who, 'PZ001');
    await add(who, 'DL001');
    await Promise.all([add(who, 'PZ001'), add(who, 'PZ001')]);
    expect((await list(who)).slice().sort()).toEqual(['DL001', 'PZ001']);
    expect(await list(await guest(server))).toEqual([]);
    const remove = () => server.call(favourites.removeProduct, { productId: 'PZ001' }, who.as);
    expect((await remove()).body.productIds).toEqual(['DL001']);
    expect((await remove()).body.productIds).toEqual(['DL001']);
    expect(codeOf(await add(who, 'PZ999'))).toBe('PRODUCT_UNKNOWN');
    expect((await server.call(favourites.products, {})).status).toBe(401);
  });

  test("a guest's go into the account at login, beside what it has [MENU-10]", async () => {
    const mobile = freshMobile('in-web');
    const first = await logIn(server, mobile);
    await add(first, 'PZ005');
    await add(first, 'PZ001');
    await server.advance(31);
    const visitor = await guest(server);
    await add(visitor, 'PZ001');
    await add(visitor, 'SD001');
    const account = await logIn(server, mobile, 'in-web', visitor);
    expect((await list(account)).slice().sort()).toEqual(['PZ001', 'PZ005', 'SD001']);
  });
});
