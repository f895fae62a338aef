import { readdirSync, existsSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  CALM,
  CHOICES,
  SCENARIOS,
  scenariosOf,
  type Controls as FakeControls,
} from '../../hosts/imitated/scenarios.ts';
import { countries } from '../../country/index.ts';
import * as development from '../../src/contract/development.ts';
import { secondsToLunch } from '../../src/simulator/ServerPlates.tsx';
import { phones as phonesOfBuilds } from '../../src/server/http/pages/simulator.ts';
import { HOSTS, loadHosts } from '../../src/server/rules/hosts/hosts.ts';
import { CALM as scenarioOfCalm, calm, CALM_CONTROLS, hear, SHEETS } from '../../src/simulator/protocol.ts';
import { codeIn, TROUBLES, troubleOf } from '../../src/simulator/server.ts';
import { root } from '../architecture/sources.ts';

await loadHosts([HOSTS]);
const phones = phonesOfBuilds();

describe('the simulator and the imitated hosts', () => {
  it('know the same sheets and the same answers', () => {
    const choices = Object.entries(SHEETS).map(([name, { choices: own }]) => [name, Object.keys(own)]);
    expect(Object.fromEntries(choices)).toEqual(CHOICES);
    for (const { away, choices: own } of Object.values(SHEETS)) expect(Object.keys(own)).toContain(away);
  });

  it.each(phones)('$name starts with controls that the host has', (phone) => {
    // That every value is one of the host's own is checked by the compiler here.
    CALM_CONTROLS satisfies Partial<FakeControls>;
    const controls = calm(phone);
    expect(Object.keys(controls).filter((name) => !(name in CALM))).toEqual([]);
    expect({ ...CALM, ...controls, position: CALM.position }).toEqual(CALM);
  });

  it.each(phones)("$name: the payment app's own switches are controls of its imitation", ({ app }) => {
    for (const { control, choices } of app?.switches ?? []) {
      const known = [CALM, ...Object.values(SCENARIOS).map(({ controls }) => controls)].map((controls) =>
        Reflect.get(controls, control),
      );
      expect(choices[0]?.value).toBe(known[0]);
      expect(choices.map(({ value }) => value).filter((value) => !known.includes(value))).toEqual([]);
    }
  });

  it('there is a phone for every host of every country', () => {
    const hosts = readdirSync(path.join(root, 'hosts'))
      // What partners share has a page of its own.
      .filter((name) => name !== 'frame' && existsSync(path.join(root, 'hosts', name, 'main.tsx')))
      .sort();
    expect([...new Set(phones.map(({ host }) => host))].sort()).toEqual(hosts);
    expect([...new Set(phones.map(({ country }) => country.COUNTRY_CODE))]).toEqual(
      countries.map((country) => country.COUNTRY_CODE),
    );
    const shipped = ['in/gpay/', 'in/paytm/', 'in/', 'lk/', 'bg/'];
    expect(phones.map(({ mount }) => mount).filter((mount) => shipped.includes(mount))).toEqual(shipped);
    expect(new Set(phones.map(({ name }) => name)).size).toBe(phones.length);
  });

  it("a message that is not a host's, or not of this host, is not heard", () => {
    const sheet = {
      hostFake: 'gpay',
      type: 'sheet',
      id: 1,
      sheet: 'payment',
      detail: { amount: '449.00' },
      choices: ['success'],
      preset: 'success',
    };
    expect(hear('gpay', sheet)).toMatchObject({ type: 'sheet', sheet: 'payment', detail: { amount: '449.00' } });
    expect(hear('paytm', sheet)).toBeNull();
    for (const odd of [
      null,
      'hello',
      7,
      [],
      { type: 'hello' },
      { hostFake: 'gpay', type: 'hello' },
      { ...sheet, sheet: 'unheard-of' },
      { ...sheet, choices: 'success' },
      { hostFake: 'gpay', type: 'boo' },
    ])
      expect(hear('gpay', odd)).toBeNull();
    expect(hear('gpay', { hostFake: 'gpay', type: 'controls', controls: { ...CALM, consented: true } })).toEqual({
      type: 'controls',
      controls: { consented: true },
    });
  });
});

describe('the scenarios of a host', () => {
  it.each(phones)('$name: those that can be seen there, in groups, each with a title of its own', ({ host }) => {
    const scenarios = scenariosOf(host);
    const heard = hear(host, {
      hostFake: host,
      type: 'hello',
      scenarios,
      controls: { ...CALM, ...SCENARIOS['payment-failure'].controls },
    });
    expect(heard).toMatchObject({ scenarios, controls: { payment: 'failure', storage: 'works' } });
    const titles = scenarios.map(({ title, group }) => `${group}: ${title}`);
    expect(new Set(titles).size).toBe(titles.length);
    expect(new Set(scenarios.map(({ group }) => group)).size).toBeLessThanOrEqual(8);
    expect(scenarios.length).toBeGreaterThan(host === 'browser' ? 20 : 60);
    expect(scenarios.map(({ name }) => name)).toContain(scenarioOfCalm);
  });
});

describe('the way to lunch', () => {
  it.each([
    ['2026-03-01T06:00:00Z', 'Asia/Kolkata', 3_600],
    ['2026-03-01T07:00:00Z', 'Asia/Kolkata', 86_400],
    ['2026-03-01T07:00:01Z', 'Asia/Kolkata', 86_399],
    ['2026-03-01T18:30:00Z', 'Asia/Dhaka', 43_200],
    ['2026-03-01T06:59:59Z', 'Asia/Colombo', 1],
  ])('%s in %s is %i seconds', (at, zone, seconds) => {
    expect(secondsToLunch(Date.parse(at), zone)).toBe(seconds);
  });
});

describe('messages and faults', () => {
  it('the code is found in an SMS, and no other number is taken for it', () => {
    expect(codeIn('482913 is your code for Golden Oven Pizza. It is valid for 5 minutes.')).toBe('482913');
    expect(codeIn('Your order of +919876543210 is on its way. Call 18002081234.')).toBeNull();
    expect(codeIn('Use 0042 to log in.')).toBe('0042');
  });

  it('every trouble is a switch that the server accepts, and is recognised when it is in force', () => {
    for (const trouble of TROUBLES) {
      const sent = development.setSwitches.body.parse({ faults: trouble.faults });
      expect(troubleOf(sent.faults ?? [])).toBe(trouble);
    }
    expect(troubleOf([{ match: '/menu', delayMs: 1 }])).toBeNull();
  });
});
