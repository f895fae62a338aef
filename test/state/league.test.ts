import { expect, test } from 'vitest';
import * as errors from '#text/errors.ts';
import * as t from '#text/league.ts';
import { Failure } from '../../src/api/failure.ts';
import * as contract from '../../src/contract/league.ts';
import { toastAtom } from '../../src/state/first/toast.ts';
import {
  boardState,
  isNameShownAtom,
  leagueState,
  leaveLeagueAtom,
  playAtom,
  predictAtom,
  sharePlaceAtom,
} from '../../src/state/offers/league.ts';
import { popupAtom } from '../../src/state/base/popup.ts';
import { renewSessionAtom } from '../../src/state/base/session.ts';
import { startServer } from '../kit/server.ts';
import { logIn } from '../server/people.ts';
import { fails, openCustomer, type Customer } from './customer.ts';
import { during } from '../kit/during.ts';

const server = during(() => startServer({ settings: { distDir: null } }));

async function member(): Promise<Customer> {
  const customer = openCustomer(server);
  customer.set(renewSessionAtom, (await logIn(server)).reply);
  await customer.set(leagueState.load);
  return customer;
}
const matches = (customer: Customer) => customer.get(leagueState.atom).data!.rounds.flatMap((round) => round.matches);
/** A match of which nothing was said, far enough in the future. */
const open = (customer: Customer) => matches(customer).findLast(({ pick }) => pick === null)!;
const nameOf = (customer: Customer, id: string) =>
  customer.get(leagueState.atom).data!.teams.find((team) => team.id === id)!.name;

test('who plays says first whether the nickname may be shown; joining and a change of it are said', async () => {
  const customer = await member();
  expect([customer.get(leagueState.atom).data?.me, customer.get(isNameShownAtom)]).toEqual([null, false]);
  expect(await customer.set(playAtom, 'Asha the great')).toBe(true);
  expect([customer.get(isNameShownAtom), customer.get(toastAtom)?.message]).toEqual([true, t.joined]);
  expect(customer.get(leagueState.atom).data?.me).toMatchObject({ nickname: 'Asha the great' });
  expect(customer.get(boardState.atom).status).toBe('ready');
  expect(await customer.set(playAtom, null)).toBe(true);
  expect([customer.get(isNameShownAtom), customer.get(toastAtom)?.message]).toEqual([false, t.saved]);
  expect(customer.get(leagueState.atom).data?.me?.nickname ?? null).toBeNull();
  expect(await customer.set(playAtom, 'Usha')).toBe(true);
  expect(await customer.set(leaveLeagueAtom)).toBe(true);
  expect([
    customer.get(leagueState.atom).data?.me,
    customer.get(isNameShownAtom),
    customer.get(toastAtom)?.message,
  ]).toEqual([null, false, t.left]);
});

test('a prediction shows at once with its teams, a refused one is undone, and a customer who does not play has none', async () => {
  const customer = await member();
  const first = open(customer);
  customer.calls.length = 0;
  await customer.set(predictAtom, first, 'HOME');
  expect(customer.calls).toEqual([]);
  expect(await customer.set(playAtom, null)).toBe(true);
  const match = open(customer);
  const pick = 'HOME' as const;
  const pickOf = () => matches(customer).find(({ id }) => id === match.id)!.pick;
  const saying = customer.set(predictAtom, match, pick);
  expect([pickOf(), matches(customer).filter((one) => one.pick !== null).length]).toEqual([pick, 1]);
  await saying;
  expect(pickOf()).toBe(pick);
  expect(customer.get(toastAtom)?.message).toBe(
    t.said({ home: nameOf(customer, match.home), away: nameOf(customer, match.away) }),
  );
  const other = open(customer);
  fails(customer, contract.predict, new Failure('offline'));
  customer.calls.length = 0;
  await customer.set(predictAtom, other, pick);
  expect([matches(customer).find(({ id }) => id === other.id)!.pick, customer.get(popupAtom)?.message]).toEqual([
    null,
    errors.connectionLost,
  ]);
  expect(customer.calls).toEqual([contract.view.path]);
});

test('the own place is shared with how many play, once there is one', async () => {
  const customer = await member();
  await customer.set(boardState.load);
  await customer.set(sharePlaceAtom);
  expect(customer.fake!.log).toEqual([]);
  expect(await customer.set(playAtom, null)).toBe(true);
  // Whoever has a slice.
  const me = { rank: 3, slices: 7, pageNumber: 1 };
  const { players } = customer.get(boardState.atom).data!;
  customer.set(boardState.put, { ...customer.get(boardState.atom).data!, me });
  await customer.set(sharePlaceAtom);
  expect(customer.fake!.log).toEqual([
    {
      method: 'share',
      args: {
        title: t.title,
        text: t.shareText({ rank: me.rank, slices: me.slices, players }),
        url: 'https://pizza.example/worldPizzaLeague',
      },
    },
  ]);
});
