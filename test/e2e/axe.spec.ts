import * as loyalty from '../../src/contract/loyalty.ts';
import * as tracking from '../../src/contract/tracking.ts';
import * as wallet from '../../src/contract/wallet.ts';
import { expect } from '../kit/app.ts';
import { sample } from '../kit/matrix.ts';
import { pay } from '../server/shop.ts';
import { PNR } from '../server/trainShop.ts';
import { checkNow, enterHost, payAtBank } from './hosts.ts';
import { DESK, inspector, PHONE } from './judging.ts';
import { orderingAs } from './ordering.ts';
import { test } from './atNoon.ts';
import {
  acceptTerms,
  addFromMenu,
  bundle,
  chooseMode,
  customise,
  fillWho,
  heading,
  logInAt,
  noon,
  payButton,
  sessionOf,
  settleAt,
  totalOf,
} from './steps.ts';

const web = bundle('in', 'browser');
// Colours are judged as they stand, not while they fade in.
test.use({ reducedMotion: 'reduce', colorScheme: 'light' });

test.describe('walked on a phone, judged on both', () => {
  test.use({ viewport: PHONE });

  test('axe finds nothing while choosing, and nothing is wider than the page [QUAL-X01, QUAL-X08, NAV-X06]', async ({
    page,
    server,
    mobile,
  }) => {
    const { found, seen, inspect } = inspector(page, [PHONE, DESK]);
    const open = async (route: string, title: RegExp | string) => {
      await page.goto(web.mount + route);
      await expect(heading(page, title).first()).toBeVisible();
    };
    await open('', /^(Hot in|Your pizza)/);
    await inspect('home');
    await open('cart', 'Your cart');
    await inspect('empty cart');
    await open('postorder-ui/searchAddress', 'Where should we deliver?');
    await inspect('location');
    await page.getByRole('combobox').pressSequentially('conna');
    await expect(page.getByRole('option').first()).toBeVisible();
    await inspect('suggestions');
    await open('postorder-ui/mapScreen', 'Put the pin at your door');
    await expect(page.getByRole('button', { name: 'Deliver here' })).toBeVisible();
    await inspect('map');
    await open('postorder-ui/selectRestaurant?deliveryType=PICKUP', 'Choose a restaurant');
    await inspect('stores');
    await open('postorder-ui/takeawayMapScreen?deliveryType=PICKUP', /./);
    await inspect('store map');
    await open('manualSelector', /./);
    await inspect('cities');
    await open('login', 'Log in');
    await inspect('login');
    await page.getByLabel('Mobile number').fill('12');
    await page.getByRole('button', { name: 'Send me a code' }).click();
    await inspect('login refused');
    await page.getByLabel('Mobile number').fill(mobile);
    await page.getByRole('button', { name: 'Send me a code' }).click();
    await expect(page.getByLabel('Code')).toBeVisible();
    await inspect('code');
    await settleAt(page, server.url, web, mobile);
    await inspect('menu');
    await open('address', /address/);
    await inspect('address');
    await open('postorder-ui/myAddresses', 'My addresses');
    await inspect('addresses');
    await open('menu/sides', 'Sides');
    await inspect('category');
    await open('search?q=paneer', 'Search the menu');
    await inspect('search');
    await open('search?q=qqqqqq', 'Search the menu');
    await inspect('nothing found');
    await open('combo/DL003', /./);
    await inspect('combo');
    await open('deliverontrain', 'Food on your train');
    const pnr = page.getByLabel('PNR', { exact: true });
    await pnr.fill('12');
    await pnr.press('Enter');
    await expect(page.getByText('A PNR has 10 digits, this one has 2.')).toBeVisible();
    await inspect('trains with a wrong PNR');
    await pnr.fill(PNR.mumbai);
    await pnr.press('Enter');
    await expect(heading(page, 'Where shall we bring it?')).toBeVisible();
    await inspect('journey');
    await page.getByRole('button', { name: /^Surat/ }).click();
    await expect(page.getByRole('dialog', { name: 'Surat' })).toBeVisible();
    await inspect('station without food');
    await open('irctcStation?station=BRC', 'To Vadodara Junction');
    await page.getByRole('checkbox', { name: /^Somebody else eats/ }).check();
    await page.getByRole('button', { name: 'See the food' }).click();
    await expect(page.getByText('Please tell us who eats.')).toBeVisible();
    await inspect('seat refused');
    await page.getByRole('checkbox', { name: /^Somebody else eats/ }).uncheck();
    await page.getByRole('button', { name: 'See the food' }).click();
    await expect(heading(page, 'Good on a train')).toBeVisible();
    await expect(page.locator('main [aria-busy="true"]')).toHaveCount(0);
    await inspect('food of a station');
    await open('irctcOrder', 'Your train orders');
    await expect(heading(page, 'To Vadodara Junction')).toBeVisible();
    await inspect('train orders');
    expect(found).toEqual([]);
    expect(seen).toHaveLength(24);
  });
});

test.describe('walked on a desk, judged on both', () => {
  test.use({ viewport: DESK });

  test('axe finds no fault while paying and waiting, alone or with others, and nothing overflows [QUAL-X01, QUAL-X02, QUAL-X08]', async ({
    page,
    server,
    mobile,
    browser,
  }) => {
    test.setTimeout(150_000);
    const { found, seen, inspect } = inspector(page, [DESK, PHONE]);
    await settleAt(page, server.url, web, mobile);
    await page.goto(`${web.mount}group`);
    await expect(page.getByRole('button', { name: 'Get the link' })).toBeVisible();
    await inspect('group start');
    await page.getByRole('button', { name: 'Get the link' }).click();
    await expect(heading(page, 'Your group order')).toBeVisible();
    const group = page.url();
    // Somebody else's phone; what is found there is found.
    const friend = await browser.newPage({ viewport: DESK, reducedMotion: 'reduce', locale: 'en-IN' });
    const { found: foundThere, seen: seenThere, inspect: inspectThere } = inspector(friend, [DESK, PHONE]);
    await friend.goto(group);
    await expect(friend.getByRole('button', { name: 'Join' })).toBeVisible();
    await inspectThere('group join');
    await friend.getByLabel('Your name').fill('Ravi');
    await friend.getByRole('button', { name: 'No milk' }).click();
    await friend.getByRole('button', { name: 'Join' }).click();
    await friend.getByRole('link', { name: 'Add dishes' }).click();
    await addFromMenu(friend);
    await expect(friend.getByRole('complementary', { name: 'Group order' })).toContainText('You are adding');
    await friend.getByRole('complementary', { name: 'Group order' }).getByRole('link').click();
    await expect(friend.getByText(/has milk/)).toBeVisible();
    await inspectThere('group guest');
    await expect(page.getByText(/Ravi: has milk/)).toBeVisible();
    await inspect('group host');
    await page.goto(`${web.mount}customise/PZ004`);
    await customise(page);
    await inspect('customise');
    await page.getByLabel('Your choice').getByRole('button', { name: /^Add/ }).click();
    await page.goto(`${web.mount}cart`);
    await page.getByLabel('Have an offer code?').fill('NOSUCHCODE');
    await page.getByRole('button', { name: 'Apply' }).click();
    await expect(page.getByText('Invalid coupon code')).toBeVisible();
    await inspect('cart');
    await page.goto(`${web.mount}offers?from=cart`);
    await expect(heading(page, 'Coupons')).toBeVisible();
    await inspect('coupons');
    await page.goto(`${web.mount}payment`);
    await expect(page.getByRole('group', { name: 'Payment mode' })).toBeVisible();
    await payButton(page).click();
    await inspect('payment refused');
    await fillWho(page, mobile);
    await chooseMode(page, 'Credit / debit card');
    await inspect('payment');
    await chooseMode(page, 'UPI');
    await acceptTerms(page);
    await payButton(page).click();
    await expect(page.getByRole('link', { name: 'Open your UPI app' })).toBeVisible();
    // A script of its own draws it.
    await expect(page.getByRole('img', { name: 'QR code of this payment' })).toBeVisible();
    await inspect('upi');
    const upi = page.url();
    await page.goto(web.mount);
    await expect(page.getByRole('complementary', { name: 'Your order' })).toBeVisible();
    await inspect('home with an order');
    await page.goto(upi);
    await payAtBank(page, 'decline');
    await checkNow(page);
    await expect(heading(page, 'Payment Failed. Please try again.')).toBeVisible();
    await inspect('failed');
    await page.getByRole('button', { name: 'Pay with Cash on delivery' }).click();
    await expect(page.getByLabel('6-digit code')).toBeVisible();
    await inspect('cash code');
    const [sms = ''] = await server.inbox(`+91${mobile}`);
    await page.getByLabel('6-digit code').fill(/\d{6}/.exec(sms)?.[0] ?? '');
    await expect(heading(page, 'Thank you! Your order is placed.')).toBeVisible();
    await inspect('placed');
    const session = await sessionOf(page, web);
    const orderHistoryId = /\/order\/([^/?]+)/.exec(page.url())![1]!;
    const { body: shared } = await server.call(
      tracking.share,
      { orderHistoryId },
      { authToken: session!.credentials.accessToken, userId: session!.attributes.userId },
    );
    await expect(heading(friend, 'Who pays what')).toBeVisible({ timeout: 30_000 });
    await inspectThere('group ordered');
    await friend.goto(`${server.url}${web.mount}shared/${shared.token}`);
    await expect(heading(friend, 'Follow an order')).toBeVisible();
    await inspectThere('shared');
    await friend.close();
    await page.getByRole('button', { name: 'Cancel the order' }).click();
    await expect(page.getByRole('alertdialog')).toBeVisible();
    await inspect('popup');
    await page.getByRole('button', { name: 'Keep it' }).click();
    await server.advance(900);
    await page.getByRole('link', { name: 'Track your order' }).click();
    await expect(page.getByRole('listitem').filter({ hasText: 'Out for delivery' })).toHaveAttribute(
      'aria-current',
      'step',
    );
    await inspect('track');
    await server.advance(900);
    await page.getByRole('link', { name: 'Back to the order' }).click();
    await expect(heading(page, 'Enjoy your meal!')).toBeVisible();
    await expect(heading(page, 'How was it?')).toBeVisible();
    await inspect('delivered');
    await page.getByRole('link', { name: /^Get help/ }).click();
    await expect(heading(page, 'What went wrong?')).toBeVisible();
    await inspect('help');
    await page.getByRole('button', { name: 'It came cold' }).click();
    await page.getByRole('checkbox').first().check({ force: true });
    await expect(page.getByRole('button', { name: /^Get ₹/ })).toBeVisible();
    await inspect('help with dishes');
    await page.getByRole('button', { name: /^Get ₹/ }).click();
    await expect(heading(page, /for you$/)).toBeVisible();
    await inspect('ticket');
    await page.getByRole('link', { name: 'All that you have asked' }).click();
    await expect(heading(page, 'Which order is it about?')).toBeVisible();
    await inspect('tickets');
    await page.getByRole('link', { name: /^About a visit/ }).click();
    await page.getByRole('button', { name: 'Send' }).click();
    await expect(page.getByText('Please tell us about your order or rate it.')).toBeVisible();
    await inspect('visit refused');
    await page.getByLabel('What happened?').fill('Crisp and hot.');
    await page.getByLabel('Your mobile number').fill(mobile);
    await page.getByRole('button', { name: 'Send' }).click();
    await expect(heading(page, 'Thank you!')).toBeVisible();
    await inspect('visit sent');
    await page.goto(`${web.mount}uf?orderId=${orderHistoryId}&rating=2`);
    await page.getByRole('button', { name: 'Send' }).click();
    await expect(page.getByText('Your feedback should have at least 30 characters')).toBeVisible();
    await inspect('feedback refused');
    await page.getByLabel('Tell us more').fill('The pizza was cold when it came to our door.');
    await page.getByRole('button', { name: 'Temperature' }).click();
    await page.getByText('3', { exact: true }).click();
    await page.getByRole('button', { name: 'Send' }).click();
    await expect(heading(page, 'Thank you!')).toBeVisible();
    await inspect('rated');
    await page.getByRole('button', { name: 'Add a word' }).click();
    await page.getByLabel('What would you like to add?').fill('नि'.repeat(251));
    await expect(page.getByText('251 of 250')).toBeVisible();
    await inspect('a word too long');
    await page.goto(`${web.mount}uf`);
    await expect(heading(page, /not a working one/)).toBeVisible();
    await inspect('broken link');
    expect([...found, ...foundThere]).toEqual([]);
    expect([...seen, ...seenThere]).toHaveLength(29);
  });

  test('axe finds no fault in rewards, wallet, profile, devices, data and deletion of an account [QUAL-X01, QUAL-X08] @all', async ({
    page,
    server,
    mobile,
  }) => {
    test.setTimeout(180_000);
    const { found, seen, inspect } = inspector(page, [PHONE, DESK]);
    const open = async (route: string, title: string | RegExp) => {
      await page.goto(web.mount + route);
      await expect(heading(page, title).first()).toBeVisible();
      await expect(page.locator('main [aria-busy="true"]')).toHaveCount(0);
    };
    const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
    await settleAt(page, server.url, web, mobile);
    await open('rewards', 'How it works');
    await page.getByText('When do I get my points?').click();
    await inspect('rewards of a guest with an answer');
    await open('consents', 'Only if you like');
    await press('Yes to all');
    await expect(page.getByText(/^Yes, since/).first()).toBeVisible();
    await inspect('consents');
    await logInAt(page, server, mobile, 'rewards');
    await press('Join Pizza Pals');
    for (let n = 0; n < 7; n += 1) await server.call(loyalty.grant, { body: { mobile, points: 100 } });
    await open('rewards', 'A free regular pizza waits for you');
    await inspect('rewards with a free pizza');
    await press('Leave the programme');
    await expect(page.getByRole('dialog', { name: 'Leave Pizza Pals?' })).toBeVisible();
    await inspect('leaving the rewards');

    await open('postorder-ui/profile/edit', 'Your profile');
    await press('Save');
    await expect(page.getByText('Invalid email.')).toBeVisible();
    await inspect('profile problems');
    await page.getByLabel('First name').fill('Lakshminarayanan');
    await page.getByLabel('Last name').fill('Venkatasubramanian-Krishnamurthy');
    await page.getByLabel('Email').fill(`lakshminarayanan.venkatasubramanian.${mobile}@a-long-company.example`);
    await press('Save');
    await press('Confirm it');
    await page.getByLabel('Code from the email').fill('12');
    await press('Confirm');
    await expect(page.getByText('That code is not right.')).toBeVisible();
    await inspect('email code');
    await open('postorder-ui/profile/devices', 'Your devices');
    await inspect('devices');
    await open('postorder-ui/profile/number', 'Change your number');
    await page.getByLabel('New mobile number').fill(`7${mobile.slice(1)}`);
    await press('Send both codes');
    await press('Change the number');
    await expect(page.getByText('This field cannot be left empty').first()).toBeVisible();
    await inspect('number codes');

    await server.call(wallet.credit, { body: { mobile, amount: 1_250_050 } });
    const one = await orderingAs(page, server, web, mobile);
    const { order, next } = await one.order({ body: { funds: { wallet: 5_000 } } });
    await pay(server, next);
    await one.confirm(order);
    await server.advance(5_400);
    await open('postorder-ui/wallet', 'Pizza wallet');
    await expect(page.getByText('These are all transactions of your wallet.')).toBeVisible();
    await page.emulateMedia({ colorScheme: 'dark' });
    await inspect('wallet in the dark');
    await page.emulateMedia({ colorScheme: 'light' });
    await open('my-data', /data/);
    await inspect('data');
    await open('delete-account', 'What we delete');
    await page.getByRole('checkbox', { name: /^I give up the / }).check();
    await press('Send me the code');
    await press('Delete my account');
    await expect(page.getByText('This field cannot be left empty')).toBeVisible();
    await inspect('delete code');
    expect(found).toEqual([]);
    expect(seen).toHaveLength(11);
  });
});

test.describe('inside the hosts, in the other countries and in the dark', () => {
  test.use({ viewport: PHONE, colorScheme: 'dark' });

  test('axe finds nothing on the way to the money [QUAL-X01]', async ({ page, server, phone }) => {
    await noon(server);
    const { found, seen, inspect } = inspector(page, [PHONE]);
    const apps = sample(
      [
        ['in', 'gpay'],
        ['in', 'paytm'],
        ['lk', 'browser'],
        ['bg', 'browser'],
      ] as const,
      [['in', 'paytm']],
    );
    for (const [country, host] of apps) {
      const own = bundle(country, host);
      const mobile = phone(country);
      await enterHost(page, own, { user: `customer-${mobile}` });
      await settleAt(page, server.url, own, mobile);
      await inspect(`${country} ${host} menu`);
      await addFromMenu(page);
      await page.getByRole('link', { name: /^Cart/ }).click();
      await expect(totalOf(page)).toBeVisible();
      await inspect(`${country} ${host} cart`);
      await page.getByRole('link', { name: 'Go to payment' }).click();
      await expect(page.getByRole('group', { name: 'Payment mode' })).toBeVisible();
      await inspect(`${country} ${host} payment`);
    }
    expect(found).toEqual([]);
    expect(seen).toHaveLength(apps.length * 3);
  });
});
