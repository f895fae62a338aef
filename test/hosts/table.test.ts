import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import type { Feature, HostBridge, Policy } from '../../src/bridge/hostBridge.ts';
import { scenariosOf } from '../../hosts/imitated/scenarios.ts';
import type { HostSide } from '../../src/server/call/hosts.ts';
import { SHIPPED, stage } from './stage.ts';

const README = path.resolve(import.meta.dirname, '../../hosts/README.md');
const WORDS: Readonly<Record<Feature, string>> = {
  login: 'login',
  phoneNumber: 'phone number',
  'network.type': 'network type',
  'network.change': 'network changes',
  location: 'position',
  address: 'address picker',
  payment: 'payment',
  share: 'share',
  shortcut: 'icon on the home screen',
  close: 'close',
  back: 'back',
  lifecycle: 'shown and hidden',
  storage: 'storage',
  vibrate: 'vibration',
};
const FORBIDDEN: Readonly<Record<Policy, string>> = {
  'own-login': 'our own login form',
  'social-login': "another provider's login",
  'other-payment': 'another way to pay',
  'install-prompt': 'installing the page',
  'leave-host': 'links out',
  'promo-message': 'advertising',
  'cookie-session': 'sessions in cookies',
  'native-dialog': 'native dialogs',
  'new-window': 'new windows',
  'own-address-form': 'our own address form',
  'foreign-frame': 'frames of others in the page',
};

/** What a call takes or tells beyond its plain form. */
const PARAMETERS = [
  ['login', 'silent', 'login without a sheet'],
  ['location', 'accuracy', 'how exact the position is'],
  ['share', 'text', 'a text beside the shared address'],
  ['shortcut', 'name', 'a name below the icon'],
] as const;

function cell(bridge: HostBridge, feature: Feature, parameter?: (typeof PARAMETERS)[number][1]): string {
  const support = bridge.supports<Feature>(feature, parameter);
  return support.state === 'available' ? support.via : support.state === 'unknown' ? 'when asked' : '–';
}

/** What each bridge says of itself inside its host, once it is ready. */
async function table(): Promise<string> {
  const bridges = await Promise.all(
    SHIPPED.map(async (id) => {
      const { bridge, fake } = stage(id);
      await bridge.ready();
      fake.set({ install: 'offered' });
      await bridge.network.getNetworkType();
      return bridge;
    }),
  );
  const row = (first: string, cells: readonly string[]) => `| ${[first, ...cells].join(' | ')} |`;
  const lines = [
    row('', SHIPPED),
    `|${'---|'.repeat(SHIPPED.length + 1)}`,
    ...Object.entries(WORDS).map(([feature, words]) =>
      row(
        words,
        bridges.map((bridge) => cell(bridge, feature as Feature)),
      ),
    ),
    ...PARAMETERS.map(([feature, parameter, words]) =>
      row(
        words,
        bridges.map((bridge) => cell(bridge, feature, parameter)),
      ),
    ),
    ...Object.entries(FORBIDDEN).map(([policy, words]) =>
      row(
        words,
        bridges.map(({ forbids }) => (forbids.has(policy as Policy) ? 'forbidden' : '')),
      ),
    ),
  ];
  for (const bridge of bridges) bridge.dispose();
  return lines.join('\n');
}

it('what a bridge forbids its pages, its half on the server refuses', async () => {
  for (const id of SHIPPED.filter((one) => one !== 'browser')) {
    const { host } = (await import(`../../hosts/${id}/server.ts`)) as { host: HostSide };
    expect([id, host.forbidsOwnLogin ?? false]).toEqual([id, stage(id).bridge.forbids.has('own-login')]);
  }
});

it("the scenarios in the hosts' README are those of the imitated hosts", () => {
  const written = /<!-- scenarios:begin -->\n([\s\S]*?)\n<!-- scenarios:end -->/.exec(
    readFileSync(README, 'utf8'),
  )?.[1];
  const all = scenariosOf(null);
  const groups = [...new Set(all.map(({ group }) => group))];
  const row = (group: string) => {
    const own = all.filter((one) => one.group === group);
    return `| ${group} | ${own.length} | ${own.map(({ title }) => title).join('; ')} |`;
  };
  expect(written).toBe(['| group | | scenarios |', '|---|---|---|', ...groups.map(row)].join('\n'));
});

it("the hosts' own README says of them is what the bridges say", async () => {
  const written = /<!-- hosts:begin -->\n([\s\S]*?)\n<!-- hosts:end -->/.exec(readFileSync(README, 'utf8'))?.[1];
  expect(written).toBe(await table());
});
