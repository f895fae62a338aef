import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { fate, HOSTS, orderFor, pass, stage, type StagedHost } from './stage.ts';

const FRAME = 'https://pizza.example';
beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** The simulator's page around one host. */
function framed(id: StagedHost, sheets = true) {
  const staged = stage(id, { sheets, phone: { parent: FRAME } });
  const { phone } = staged;
  const say = (data: object, from: { origin?: string; source?: unknown } = {}) =>
    phone.window.dispatchEvent(
      Object.assign(new Event('message'), {
        data: { hostFake: id, ...data },
        origin: FRAME,
        source: phone.frame,
        ...from,
      }),
    );
  const heard = (type: string) =>
    (phone.posted as { type: string; id?: number; sheet?: string; choices?: string[]; name?: string }[]).filter(
      (message) => message.type === type,
    );
  return { ...staged, say, heard };
}

describe('a fake inside the simulator', () => {
  it('is believed to be gpay in a frame of its own origin', () => {
    expect(framed('gpay').bridge.hosted).toBe(true);
  });

  for (const id of HOSTS) {
    it(`${id}: says what it offers, and follows the switches`, async () => {
      const { bridge, say, heard, fake } = framed(id);
      expect(heard('hello')).toMatchObject([{ hostFake: id, controls: { networkType: '4g' } }]);
      bridge.on('network', () => {});
      say({ type: 'set', controls: { networkType: 'none' } });
      await pass(10);
      expect(bridge.network.getSnapshot().isConnected).toBe(false);
      expect(heard('controls')).toHaveLength(1);
      say({ type: 'scenario', name: 'payment-failure', seed: 7 });
      expect(fake.controls).toMatchObject({ payment: 'failure', networkType: '4g' });
      const shown: string[] = [];
      bridge.on('lifecycle', (state) => shown.push(state));
      say({ type: 'hide' });
      say({ type: 'show' });
      expect(shown).toEqual(['hidden', 'shown']);
    });

    it(`${id}: believes only its own parent`, () => {
      const { say, fake } = framed(id);
      const controls = { networkType: 'none' };
      for (const from of [{ origin: 'https://evil.example' }, { origin: 'null' }, { source: {} }, { source: null }])
        say({ type: 'set', controls }, from);
      say({ type: 'set', controls, hostFake: 'other' });
      expect(fake.controls.networkType).toBe('4g');
    });
  }

  for (const id of ['gpay', 'paytm'] as const) {
    it(`${id}: the sheet is drawn outside, and the person answers it`, async () => {
      const { bridge, say, heard } = framed(id);
      const login = fate(bridge.login({ nonce: 'n', interactive: true }));
      await pass(10);
      const [sheet] = heard('sheet');
      expect(sheet).toMatchObject({ sheet: 'login', choices: ['grant', 'deny', 'silent'], preset: 'grant' });
      expect(login.done).toBe(false);
      say({ type: 'answer', id: sheet!.id, choice: 'grant' });
      await pass(10);
      expect(login.value).toBeDefined();
      expect(heard('sheet-over')).toHaveLength(1);

      const paying = fate(bridge.requestPayment(orderFor(id)));
      await pass(10);
      say({ type: 'answer', id: heard('sheet')[1]!.id, choice: 'failure' });
      await pass(10);
      expect(paying.value?.status).toBe('reported-failure');
    });
  }

  it('paytm: the host closes the page and says so', async () => {
    const { bridge, heard } = framed('paytm');
    fate(bridge.close());
    await pass(100);
    expect(heard('event').map(({ name }) => name)).toEqual(['call', 'closed']);
  });

  it('answers by the controls when nobody draws, and draws once the parent offers to', async () => {
    const { bridge, heard, say } = framed('gpay', false);
    const first = fate(bridge.requestPayment(orderFor('gpay')));
    await pass(10);
    expect(first.value?.status).toBe('reported-success');
    say({ type: 'attach', sheets: true });
    fate(bridge.requestPayment(orderFor('gpay')));
    await pass(10);
    expect(heard('sheet')).toHaveLength(1);
  });

  it('same seed, same run', () => {
    const numbers = (seed: number) => Array.from({ length: 5 }, stage('gpay', { seed }).fake.random);
    expect(numbers(3)).toEqual(numbers(3));
    expect(numbers(3)).not.toEqual(numbers(4));
  });
});
