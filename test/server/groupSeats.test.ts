import { describe, expect, test } from 'vitest';
import * as group from '../../src/contract/group.ts';
import { engines, startServer } from '../kit/server.ts';
import { codeOf, logIn } from './people.ts';
import { Customer, openShop, PICKUP, visitor } from './shop.ts';
import { during } from '../kit/during.ts';

/** A group has twenty seats. Only a full one shows whether each is counted once. */
const SEATS = 20;

describe.each(await engines())('the seats of a group order on %s', (engine) => {
  const server = during(() => startServer({ engine }), openShop);

  const started = async () => {
    const host = await visitor(server, 'IN', PICKUP);
    await host.fill();
    const wish = { name: 'Asha', diet: [], minutes: 30, limit: null };
    return { host, code: (await host.call(group.start, { cartId: host.cartId, body: wish })).body.group.code };
  };
  const sit = (who: Customer, code: string, name: string) => who.call(group.join, { code, body: { name, diet: [] } });
  const come = async (code: string, name: string) => {
    const who = await visitor(server, 'IN', PICKUP);
    expect((await sit(who, code, name)).status).toBe(200);
    return who;
  };
  const look = async (who: Customer, code: string) =>
    (await who.call(group.byCode, { code, query: {} })).body.group as group.Group;
  const stand = async (who: Customer, code: string, personId: string) =>
    expect((await who.call(group.leave, { code, personId })).status).toBe(200);
  const own = async (who: Customer, code: string) => (await look(who, code)).people.find((one) => one.isMe)!.personId;
  /** This device, or a new one, logged in to the account with this number. */
  const loggedIn = async (mobile: string, device?: Customer) => {
    await server.advance(31);
    const who = device ?? (await visitor(server, 'IN', PICKUP));
    return new Customer(server, await logIn(server, mobile, 'in-web', who.person), PICKUP, who.productId, mobile);
  };
  /** Takes every seat that is left, one after the other. @returns how many there were */
  const fill = async (code: string) => {
    for (let count = 0; ; count += 1) {
      const answer = await sit(await visitor(server, 'IN', PICKUP), code, `Guest ${count}`);
      if (answer.status === 200) continue;
      expect(codeOf(answer)).toBe('GROUP_FULL');
      return count;
    }
  };

  test('whoever leaves or is taken out makes room for one other [CART-X06]', async () => {
    const { host, code } = await started();
    const [ravi, mina] = [await come(code, 'Ravi'), await come(code, 'Mina')];
    expect(await fill(code)).toBe(SEATS - 3);
    await stand(ravi, code, await own(ravi, code));
    expect(await fill(code)).toBe(1);
    await stand(host, code, await own(mina, code));
    expect(await fill(code)).toBe(1);
    // Ravi's place is taken meanwhile.
    expect(codeOf(await sit(ravi, code, 'Ravi'))).toBe('GROUP_FULL');
    expect((await look(host, code)).size).toBe(SEATS);
  });

  test('a guest who logs in to an account already in the group has one seat of two; the other is free [CART-X06] [CART-X09]', async () => {
    const { host, code } = await started();
    const [phone, gone] = [await come(code, 'Phone'), await come(code, 'Gone')];
    const tablet = await loggedIn(phone.mobile);
    expect((await sit(tablet, code, 'Tablet')).status).toBe(200);
    const desk = await loggedIn(gone.mobile);
    expect((await sit(desk, code, 'Desk')).status).toBe(200);
    await stand(gone, code, await own(gone, code));
    expect(await fill(code)).toBe(SEATS - 4);
    const both = await loggedIn(phone.mobile, phone);
    expect((await look(both, code)).people.find((one) => one.isMe)?.name).toBe('Tablet');
    expect((await look(host, code)).size).toBe(SEATS - 1);
    expect(await fill(code)).toBe(1);
    // This one's seat was free before the login.
    await loggedIn(gone.mobile, gone);
    expect((await look(desk, code)).people.find((one) => one.isMe)?.name).toBe('Desk');
    expect([(await look(host, code)).size, await fill(code)]).toEqual([SEATS, 0]);
  });

  test('a guest who logs in to an account that had left the group takes its place, with their own dishes [CART-X06] [CART-X09]', async () => {
    const { host, code } = await started();
    const phone = await come(code, 'Phone');
    const tablet = await loggedIn(phone.mobile);
    expect((await sit(tablet, code, 'Tablet')).status).toBe(200);
    await stand(tablet, code, await own(tablet, code));
    expect(await fill(code)).toBe(SEATS - 2);
    const both = await loggedIn(phone.mobile, phone);
    expect(await look(both, code)).toMatchObject({ role: 'guest', size: SEATS });
    expect([await fill(code), (await look(host, code)).size]).toEqual([0, SEATS]);
  });

  test.each([
    ['still sits there', false, 1],
    ['has left', true, 0],
  ])(
    'a host who logs in to an account that %s as a guest hosts alone, and so many seats are free then: %s',
    async (_, hasLeft, free) => {
      const { host, code } = await started();
      const tablet = await loggedIn(host.mobile);
      expect((await sit(tablet, code, 'Tablet')).status).toBe(200);
      if (hasLeft) await stand(tablet, code, await own(tablet, code));
      await fill(code);
      const owner = await loggedIn(host.mobile, host);
      expect(await look(owner, code)).toMatchObject({ role: 'host', size: SEATS - free });
      expect(await look(tablet, code)).toMatchObject({ role: 'host' });
      expect(await fill(code)).toBe(free);
    },
  );
});
