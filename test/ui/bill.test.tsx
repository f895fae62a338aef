import { expect, test } from 'vitest';
import { money } from '../../src/contract/price.ts';
import { BillLines } from '../../src/ui/money/BillLines.tsx';
import { CurrencyContext, Price } from '../../src/ui/money/Price.tsx';
import { mount } from './mount.tsx';

const rupees = { CURRENCY_CODE: 'INR', CURRENCY_SYMBOL: '₹', locale: 'en-IN' };

test('a price shows the old amount struck through only when it was higher', () => {
  const { host, show } = mount(
    <CurrencyContext value={rupees}>
      <Price amount={money(22900)} original={money(28900)} />
    </CurrencyContext>,
  );
  expect(host.querySelector('s')?.textContent).toBe('Before ₹289');
  show(
    <CurrencyContext value={rupees}>
      <Price amount={money(22900)} original={money(22900)} />
    </CurrencyContext>,
  );
  expect(host.querySelector('s')).toBeNull();
  expect(host.textContent).toBe('₹229');
});

test('the bill is shown line by line as the server sent it: free charges, discounts, included taxes, total', () => {
  const bill = {
    total: money(47811),
    savings: money(12000),
    lines: [
      { id: 'items', label: 'Items', amount: money(59800), kind: 'items' as const },
      { id: 'discount:A', label: 'WELCOME50', amount: money(-12000), kind: 'discount' as const, note: 'half price' },
      { id: 'delivery', label: 'Delivery', amount: money(0), kind: 'charge' as const },
      { id: 'tax:VAT', label: 'VAT 18%', amount: money(7293), kind: 'tax' as const, included: true },
    ],
  };
  const { host } = mount(
    <CurrencyContext value={rupees}>
      <BillLines bill={bill} totalLabel="To pay" savingsText={(amount) => <>You save {amount}</>} />
    </CurrencyContext>,
  );
  const rows = [...host.querySelectorAll('dl > div')].map((row) => row.textContent);
  expect(rows).toEqual([
    'Items₹598',
    'WELCOME50half price-₹120',
    'DeliveryFree',
    'VAT 18% (included)₹72.93',
    'To pay₹478.11',
  ]);
  expect(host.querySelector('p')?.textContent).toBe('You save ₹120');
});
