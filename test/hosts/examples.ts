// The examples of hosts/AUTHORS.md, which a test compares with it and plays.
import * as z from 'zod/mini';
import { createBridge } from '../../src/bridge/createBridge.ts';
import { decode } from '../../src/bridge/decode.ts';
import { on } from '../../src/bridge/web.ts';
import { defineHost, sheetCall } from '../../src/bridge/defineHost.ts';
import type { HostBridge, HostId, PaymentOrder, Unsubscribe } from '../../src/bridge/hostBridge.ts';
import type { HostError } from '../../src/bridge/hostError.ts';
import { readLaunch } from '../../src/bridge/profile.ts';
import { injectedTransport, numbered } from '../../src/bridge/transports.ts';

interface EightPay {
  postMessage(call: string): void;
}
const partner = 'eightpay' as 'gpay';

export const eight = defineHost({
  profile: (win) => {
    const version = /EightPay\/([\d.]+)/.exec(win?.navigator.userAgent ?? '')?.[1] ?? null;
    return {
      id: 'eightpay' as HostId,
      version,
      hosted: version !== null,
      forbids: new Set(['native-dialog', 'new-window'] as const),
      partner,
      fullMode: false,
      clientType: `web app-${partner}`,
      apiKeyName: partner,
      blockedFeatures: ['wallet', 'offers'],
      primaryPaymentId: 'HOST',
      launch: readLaunch(win),
    };
  },
  // `window.EightPay.postMessage` takes a text; the answer is an event with the number of its call.
  transport(win, profile) {
    const bridge = () => (win as { EightPay?: EightPay } | undefined)?.EightPay;
    const { call, reply } = numbered((id, method, args) => bridge()!.postMessage(JSON.stringify({ id, method, args })));
    on(win, 'eightpayreply', (event) => {
      const { id, ...said } = (event as CustomEvent<{ id: number }>).detail;
      reply(id, said);
    });
    return injectedTransport(profile, { present: () => Boolean(bridge()), ready: [win, 'eightpayready'], call });
  },
  calls: {
    login: { method: 'whoIsIt', parameters: { silent: false } },
    share: { method: 'tellOthers', since: '2.0', parameters: { text: '2.4' } },
  },
});

const Told = () => z.object({ token: z.string() });

export const login = /* @__PURE__ */ sheetCall('login', async (host, { nonce }, options) => {
  const { token } = decode(host, 'login', Told(), await host.ask('login', { nonce }, options));
  return { kind: 'proof', proof: { token } } as const;
});

export const share = /* @__PURE__ */ sheetCall('share', async (host, { title, text, path }, options) => {
  const more = text && host.supports('share', 'text').state !== 'unavailable' ? { text } : {};
  await host.ask('share', { title, url: host.link(path), ...more }, options);
  return 'unreported';
});

export const createEight = createBridge(eight, async () => ({ login, share }));

export async function logIn(host: HostBridge, nonce: string, send: (proof: unknown) => Promise<void>) {
  if (host.supports('login').state === 'unavailable') return 'elsewhere';
  try {
    // The nonce is the server's, and is in what the host signs.
    await send(await host.login({ nonce, interactive: true }));
    return 'in';
  } catch (error) {
    const { code, retryable } = error as HostError;
    if (code === 'DENIED' || code === 'CANCELLED') return 'refused';
    return retryable ? 'again' : 'failed';
  }
}

export async function pay(host: HostBridge, order: PaymentOrder, statusOf: (orderId: string) => Promise<string>) {
  // Only the server knows how a payment ended; until it does, the host remembers the order.
  const reconcile = async (orderId: string) => {
    const status = await statusOf(orderId);
    if (status !== 'open') await host.paymentSettled(orderId);
    return status;
  };
  // The page may have been killed while it paid: that payment comes first.
  const before = await host.unfinishedPayment();
  if (before && (await reconcile(before)) === 'open') return 'open';
  // A reply that comes too late, or a second one, says: ask again.
  const stop = host.on('payment', (orderId) => void reconcile(orderId));
  try {
    await host.requestPayment(order);
  } catch (error) {
    // No sheet was opened, so nothing was paid; a second tap changes nothing.
    if ((error as HostError).code !== 'BUSY') return 'not opened';
  } finally {
    stop();
  }
  return await reconcile(order.orderId);
}

export function whileOpen(host: HostBridge, close: () => void): Unsubscribe {
  return host.on('back', () => {
    close();
    return 'handled';
  });
}

export function followNetwork(host: HostBridge, showBanner: (isOffline: boolean) => void): Unsubscribe {
  showBanner(!host.network.getSnapshot().isConnected);
  return host.on('network', ({ isConnected }) => showBanner(!isConnected));
}
