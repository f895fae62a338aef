import type { Page } from '@playwright/test';
import type { FakeOptions } from '../../hosts/imitated/phone.ts';
import type { Controls } from '../../hosts/imitated/scenarios.ts';
import type { Bundle } from '../kit/app.ts';
import { expect } from '../kit/app.ts';

/** Opens the page inside the imitated host, whatever address it is opened or reloaded at; a plain browser stays as it is. */
export async function enterHost(page: Page, { host }: Bundle, options: FakeOptions = {}): Promise<void> {
  if (host === 'browser') return;
  await page.context().setExtraHTTPHeaders({ 'x-simulator': '1' });
  await page.context().addInitScript((own) => {
    (window as unknown as { hostFakeOptions?: unknown }).hostFakeOptions ??= own;
  }, options);
}

/** Turns switches of the imitated host on the page as it stands. */
export async function setHost(page: Page, controls: Partial<Controls>): Promise<void> {
  await page.evaluate((next) => {
    (window as unknown as { hostFake: { set(one: object): void } }).hostFake.set(next);
  }, controls as object);
}

/** The customer's UPI app: opens the bank's page of the payment that is on screen, as a scanned code would, and presses a button there. */
export async function payAtBank(page: Page, answer: 'approve' | 'decline' | 'pending' = 'approve'): Promise<void> {
  const link = await page.getByRole('link', { name: 'Open your UPI app' }).getAttribute('href');
  const reference = new URL(link!).searchParams.get('tr');
  const app = await page.context().newPage();
  await app.goto(`/bank/upi?tr=${encodeURIComponent(reference ?? '')}`);
  await app.locator(`button[value="${answer}"]`).click();
  await expect(app.locator(`button[value="${answer}"]`)).toHaveCount(0);
  await app.close();
}

/** Asks for the payment's state now. The page asks by itself as well, and may be gone by its own answer. */
export async function checkNow(page: Page): Promise<void> {
  await expect(async () => {
    if (/\/(payment\/|upiForm|paytmForm)/.test(page.url()))
      await page.getByRole('button', { name: 'I have paid: check now' }).click({ timeout: 2_000 });
  }).toPass({ timeout: 15_000 });
}
