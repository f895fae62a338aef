import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as config from '../../src/contract/config.ts';
import type { Endpoint } from '../../src/contract/endpoint.ts';
import * as menu from '../../src/contract/menu.ts';
import { featureName, MINI_APP_BLOCKED } from '../../src/domain/features.ts';
import { countries } from '../../country/index.ts';
import { allEndpoints } from '../kit/contract.ts';
import { FORBIDDEN, FORBIDDEN_FEATURES } from '../kit/forbidden.ts';
import { startServer, type TestServer } from '../kit/server.ts';
import { codeOf, freshMobile, logIn, logInByPaytm } from './people.ts';

let server: TestServer;
let gated: (readonly [string, Endpoint])[];
beforeAll(async () => {
  server = await startServer();
  gated = [...(await allEndpoints())].filter(([, endpoint]) => endpoint.feature !== null);
});
afterAll(() => server.stop());

const BUILDS = ['in-web', 'in-gpay', 'in-paytm', 'lk-web', 'bg-web'] as const;
const isPartner = (apiKey: string) => /gpay|paytm/.test(apiKey);
const listOf = async (apiKey: string) => (await server.call(config.app, {}, { apiKey })).body.config;

/** A customer's call with whatever its path needs. */
async function ask(endpoint: Endpoint, apiKey: string) {
  const who = await (apiKey === 'in-paytm' ? logInByPaytm(server) : logIn(server, freshMobile(apiKey), apiKey));
  const params = Object.fromEntries([...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => [name, 'x']));
  return await server.call(endpoint, { ...params, query: {}, ...(endpoint.body ? { body: {} } : {}) } as never, who.as);
}

describe.each(BUILDS)('%s', (apiKey) => {
  test('calls of a feature that is off for the country or the partner are 403, the others are not [CFG-33] [MINI-15] [MINI-16]', async () => {
    const country = countries.find((one) => Object.values(one.api.keys).includes(apiKey))!;
    const off = new Set(
      [
        ...country.DISABLED_FEATURES,
        // No country has passwords, and payment apps have a login of their own.
        'passwordLogin',
        // The league's pages are a standalone page's alone.
        ...(isPartner(apiKey) ? [...MINI_APP_BLOCKED, 'socialLogin', 'worldPizzaLeague', 'assistants'] : []),
      ].map(featureName),
    );
    expect(gated.map(([name]) => name)).toContain('session.logout');
    for (const [name, endpoint] of gated) {
      const answer = await ask(endpoint, apiKey);
      expect(answer.status === 403 && codeOf(answer) === 'FEATURE_BLOCKED', name).toBe(
        off.has(featureName(endpoint.feature!)),
      );
    }
  });
});

test.each(FORBIDDEN)(
  '%s: a partner is told that %s is off there, and the web that it is not [MINI-09] [MINI-10] [MINI-11] [MINI-12] [MINI-13] [MINI-14] [MINI-15] [MINI-16] [MINI-17] [MINI-18] [MINI-19]',
  async (_, feature) => {
    for (const apiKey of ['in-gpay', 'in-paytm'])
      expect((await listOf(apiKey)).vendorConfig.blockedFeatures, apiKey).toContain(feature);
    expect((await listOf('in-web')).vendorConfig.blockedFeatures).not.toContain(feature);
  },
);

test('a partner is told of the eleven and no more, the web of none in any country [CFG-38]', async () => {
  for (const apiKey of ['in-gpay', 'in-paytm'])
    expect([...(await listOf(apiKey)).vendorConfig.blockedFeatures].sort()).toEqual([...FORBIDDEN_FEATURES].sort());
  for (const apiKey of ['in-web', 'lk-web', 'bg-web'])
    expect((await listOf(apiKey)).vendorConfig.blockedFeatures).toEqual([]);
});

test('each partner has a block with its name, its payment, its client id and its source; the web has none [MINI-07] [CFG-38]', async () => {
  const { partner: gpay } = (await listOf('in-gpay')).vendorConfig;
  const { partner: paytm } = (await listOf('in-paytm')).vendorConfig;
  expect(gpay).toEqual({
    partnerName: 'gpay',
    primaryPaymentId: 'GPAY',
    clientId: expect.stringMatching(/./),
    source: 'gpay',
  });
  expect(paytm).toEqual({
    partnerName: 'PAYTM',
    primaryPaymentId: 'PAYTM',
    clientId: expect.stringMatching(/./),
    source: 'paytm',
  });
  for (const apiKey of ['in-web', 'lk-web', 'bg-web'])
    expect((await listOf(apiKey)).vendorConfig).not.toHaveProperty('partner');
});

test('landing widgets whose label a partner blocks are not for it, nor is their content [MINI-20] [MENU-14]', async () => {
  const labels = async (apiKey: string) =>
    (await server.call(menu.widgets, { storeId: '10101', query: {} }, { apiKey })).body.widgets.map((widget) =>
      widget.label.toLowerCase(),
    );
  expect(await labels('in-web')).toContain('everyday_value_offer');
  for (const apiKey of ['in-gpay', 'in-paytm'])
    expect((await labels(apiKey)).filter((label) => MINI_APP_BLOCKED.includes(label))).toEqual([]);
});
