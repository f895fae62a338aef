import { expect, test } from 'vitest';
import { sources } from './sources.ts';

// A text field of a page is read in the one form of domain/typedText.ts, or of what is built on it, before it is checked,
// counted or sent (domain/typedText.test.ts proves each way to read, server/typedText.test.ts the calls). A new field, and
// one that is read elsewhere, fail here until it is said what reads it.

type Reader = readonly [module: string, read: string];
const PHONE: Reader = ['screens/base/PhoneField.tsx', 'phoneNumber'];
const NAMES: Reader = ['state/people/profile.ts', 'trimmed'];
const PASSWORD: Reader = ['state/people/password.ts', 'passwordLength'];
const CODE: Reader = ['state/consent/oneTimeCode.ts', 'latinDigits'];
const ADDRESS: Reader = ['state/places/addresses.ts', 'typedText'];
const SEAT: Reader = ['state/trains/trains.ts', 'typedNumber'];
/** What this field is made of is listed where it is used. */
const PART: Reader = ['ui/forms/Field.tsx', 'useTextCut'];

/** Each field of each file in turn, with the module and the function that read it. */
const FIELDS: Readonly<Record<string, readonly Reader[]>> = {
  'screens/account/NumberScreen.tsx': [PHONE, CODE, ['state/people/profile.ts', 'codeDigits']],
  'screens/account/ProfileScreen.tsx': [NAMES, NAMES, NAMES],
  'screens/assistants/QuoteCard.tsx': [['state/checkout/assistants.ts', 'typedText']],
  'screens/base/NameField.tsx': [PART],
  'screens/base/OneTimeCode.tsx': [PART, CODE, CODE],
  'screens/base/PhoneField.tsx': [PART],
  'screens/cart/CartLine.tsx': [['screens/cart/CartLine.tsx', 'typedText']],
  'screens/chat/ChatScreen.tsx': [['screens/chat/answering.ts', 'typedText']],
  'screens/coupons/OfferCodeForm.tsx': [['screens/coupons/OfferCodeForm.tsx', 'typedCode']],
  'screens/customise/NoteFold.tsx': [['screens/customise/NoteFold.tsx', 'typedText']],
  'screens/feedback/FeedbackScreen.tsx': [
    ['screens/feedback/FeedbackScreen.tsx', 'typedText'],
    ['screens/feedback/FeedbackScreen.tsx', 'typedText'],
  ],
  'screens/feedback/VisitScreen.tsx': [['state/after/feedback.ts', 'typedText'], PHONE],
  'screens/funds/WalletSheets.tsx': [
    ['state/payment/vouchers.ts', 'voucherNumber'],
    ['screens/funds/WalletSheets.tsx', 'latinDigits'],
    CODE,
    PHONE,
  ],
  'screens/group/GroupStartScreen.tsx': [
    ['screens/group/GroupStartScreen.tsx', 'groupCode'],
    ['screens/group/GroupStartScreen.tsx', 'typedLimit'],
  ],
  'screens/group/MeFields.tsx': [['state/group/group.ts', 'typedText']],
  'screens/help/HelpScreen.tsx': [['state/after/help.ts', 'typedText']],
  'screens/history/HistoryScreen.tsx': [['state/orders/history.ts', 'typedText']],
  'screens/league/Me.tsx': [['screens/league/Me.tsx', 'typedText']],
  'screens/location/AddressScreen.tsx': [ADDRESS, ADDRESS, ADDRESS, ADDRESS, ADDRESS, ADDRESS, PHONE],
  'screens/location/ManualScreen.tsx': [['screens/location/ManualScreen.tsx', 'typedText']],
  'screens/location/PlaceSearch.tsx': [['screens/location/PlaceSearch.tsx', 'typedText']],
  'screens/login/LoginScreen.tsx': [PHONE],
  'screens/login/PasswordForm.tsx': [PHONE, PASSWORD],
  'screens/memory/MemoryScreen.tsx': [['state/people/memory.ts', 'memoryCode']],
  'screens/password/PasswordField.tsx': [PART],
  'screens/password/PasswordScreen.tsx': [CODE, PASSWORD, PASSWORD],
  'screens/payment/Choices.tsx': [['screens/payment/Choices.tsx', 'typedText']],
  'screens/payment/ContactCard.tsx': [['screens/payment/paymentForm.ts', 'typedText'], PHONE],
  'screens/payment/HandoverFields.tsx': [
    ['screens/payment/handover.ts', 'typedText'],
    ['screens/payment/handover.ts', 'typedText'],
    ['screens/payment/HandoverFields.tsx', 'latinDigits'],
    ['screens/payment/HandoverFields.tsx', 'typedNumber'],
  ],
  'screens/payment/InstructionsCard.tsx': [
    ['screens/payment/paymentForm.ts', 'typedText'],
    ['screens/payment/paymentForm.ts', 'isEmail'],
    ['screens/payment/paymentForm.ts', 'typedText'],
  ],
  // Compared by its words alone.
  'screens/search/SearchScreen.tsx': [['domain/slips.ts', 'wordsOf']],
  'screens/tracking/Rider.tsx': [['screens/tracking/Rider.tsx', 'typedText']],
  'screens/trains/PnrForm.tsx': [['state/trains/trains.ts', 'pnrOf']],
  'screens/trains/SeatFields.tsx': [SEAT, SEAT, ['state/trains/trains.ts', 'typedText'], PHONE],
  'ui/forms/Field.tsx': [PART],
  'ui/forms/TextArea.tsx': [['ui/forms/TextArea.tsx', 'useTextCut']],
  'ui/UpiWays.tsx': [['state/payment/payments.ts', 'typedNumber']],
};

const TAG = /<(?:Field|TextArea|PhoneField|NameField|PasswordField|CodeField|Digits|input|textarea)\s[^]*?(?<!=)>/g;
/** Chosen, not typed; or there for the browser's own list of passwords. */
const NOT_TYPED = /type="(?:radio|checkbox|range|hidden|submit)"|readOnly/;
const fields = new Map(
  sources
    .filter(({ file }) => /^src\/(?:screens|ui|shell)\/.*\.tsx$/.test(file))
    .map(({ file, code }) => [
      file.slice('src/'.length),
      [...code.matchAll(TAG)].filter(([tag]) => !NOT_TYPED.test(tag)).length,
    ]),
);

test('each text field of the pages is in the table of what reads it', () => {
  const listed = Object.fromEntries(Object.entries(FIELDS).map(([file, { length }]) => [file, length]));
  expect(Object.fromEntries([...fields].filter(([, count]) => count > 0))).toEqual(listed);
});

test('what reads a field of the pages does so', () => {
  const code = new Map(sources.map((source) => [source.file, source.code]));
  const idle = Object.entries(FIELDS).flatMap(([file, readers]) =>
    readers
      .filter(([module, read]) => !code.get(`src/${module}`)?.includes(`${read}(`))
      .map(([module, read]) => `${file}: ${read} in ${module}`),
  );
  expect(idle).toEqual([]);
});
