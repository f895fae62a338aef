import * as accountText from '#text/account.ts';
import * as t from '#text/chat.ts';
import * as documents from '#text/documents.ts';
import * as historyText from '#text/history.ts';
import * as loyaltyText from '#text/loyalty.ts';
import * as paymentText from '#text/payment.ts';
import * as privacyText from '#text/privacy.ts';
import * as walletText from '#text/wallet.ts';
import * as loyalty from '../../contract/loyalty.ts';
import * as walletContract from '../../contract/wallet.ts';
import { isEnrolled } from '../../domain/loyalty.ts';
import type { ChatChoice } from '../../state/menu/chat.ts';
import { isOpenAtom } from '../../state/first/config.ts';
import { apiAtom } from '../../state/first/seams.ts';
import { languageLinksAtom } from '../../state/base/language.ts';
import { isLoggedInAtom } from '../../state/base/session.ts';
import { hasWalletAtom, walletAbsenceAtom } from '../../state/payment/hasWallet.ts';
import { moneyOf, said, type Answerer } from './desk.ts';

const logIn = (): ChatChoice => ({ label: t.logIn, path: '/login?redirectUrl=%2Fchatbot' });
export const toAccount = (): ChatChoice => ({ label: t.toAccount, path: '/postorder-ui/profile' });

/** How many points there are, and what they pay for. */
const points: Answerer = async ({ get }) => {
  if (!get(isOpenAtom)('loyalty')) return said([t.cannot], [{ label: t.askPerson, act: { do: 'person' } }]);
  const see: ChatChoice = { label: loyaltyText.title, path: '/rewards' };
  if (!get(isLoggedInAtom)) return said([`${loyaltyText.guestTitle}.`, t.pointsGuest], [logIn(), see]);
  const { info, balance } = (await get(apiAtom).call(loyalty.user, {})).loyalty;
  if (!isEnrolled(info.enrollmentStatus)) return said([`${loyaltyText.guestTitle}.`, loyaltyText.joinText], [see]);
  const { redeemPoints, reward } = balance.programConfig;
  return said(
    [
      t.points({ points: balance.overall.points, need: redeemPoints, reward }),
      balance.burnable.freeItems > 0 ? loyaltyText.readyText : '',
    ],
    [see],
  );
};

/** What is in the wallet, or why there is none. */
const wallet: Answerer = async (desk) => {
  const { get } = desk;
  const absence = get(walletAbsenceAtom);
  if (absence !== '') return said([absence]);
  if (!get(hasWalletAtom)) return said([walletText.guestText], [logIn()]);
  const { balance } = await get(apiAtom).call(walletContract.balance, {});
  return said(
    [walletText.after({ amount: moneyOf(desk, balance) }), walletText.use],
    [{ label: paymentText.wallet, path: '/wallet' }],
  );
};

const erase: Answerer = ({ get }) =>
  get(isLoggedInAtom)
    ? said([t.erase], [{ label: privacyText.deleteTitle, path: '/delete-account' }])
    : said(
        [privacyText.guestText, t.eraseLogIn],
        [logIn(), { label: privacyText.deleteTitle, path: '/delete-account' }],
      );

const account: Answerer = ({ get }) => said([t.account], get(isLoggedInAtom) ? [toAccount()] : [toAccount(), logIn()]);

const phone: Answerer = ({ get }) =>
  get(isLoggedInAtom)
    ? said([accountText.numberHow], [{ label: accountText.numberChange, path: '/postorder-ui/profile/number' }])
    : said([accountText.numberHow], [logIn()]);

const login: Answerer = () => said([t.login], [logIn(), { label: t.askPerson, act: { do: 'person' } }]);

const language: Answerer = ({ get }) =>
  said(
    [
      t.language({
        languages: get(languageLinksAtom)
          .map(({ name }) => name)
          .join(', '),
      }),
    ],
    [toAccount()],
  );

/** Which messages come, and where each is switched on and off. */
const notices: Answerer = () =>
  said(
    [`${privacyText.news}: ${privacyText.newsDetail}`, `${privacyText.offers}: ${privacyText.offersDetail}`],
    [{ label: privacyText.consents, path: '/consents' }],
  );

/** What is kept and who sees it, and where it is all shown. */
const privacy: Answerer = () =>
  said(
    [documents.whyText, documents.withText],
    [
      { label: privacyText.dataTitle, path: '/my-data' },
      { label: documents.privacy, path: '/privacy' },
    ],
  );

/** A phone is gone, or somebody else is logged in. */
const stolen: Answerer = ({ get }) =>
  said(
    [t.stolen],
    [
      get(isLoggedInAtom) ? { label: accountText.devicesTitle, path: '/postorder-ui/profile/devices' } : logIn(),
      { label: t.askCancel, act: { do: 'cancel' } },
      { label: t.askPerson, act: { do: 'person' } },
    ],
  );

const savedCard: Answerer = () => said([t.savedCard], [{ label: documents.privacy, path: '/privacy' }]);

const history: Answerer = ({ get }) => {
  const see: ChatChoice = { label: historyText.title, path: '/postorder-ui/orderHistory' };
  return said([t.history], get(isLoggedInAtom) ? [see] : [see, logIn()]);
};

export const aboutAccount = {
  points,
  wallet,
  erase,
  account,
  phone,
  login,
  language,
  notices,
  privacy,
  stolen,
  savedCard,
  history,
} satisfies Record<string, Answerer>;
