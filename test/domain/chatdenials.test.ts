import { describe, expect, test } from 'vitest';
import type { Intent } from '../../src/domain/chat/intents.ts';
import { understand } from '../../src/domain/chat/understand.ts';
import { isDishWord } from '../../src/domain/dishwords.ts';

const ours = new Set(['garlic', 'bread', 'paneer', 'coke', 'pizza', 'hot']);
const heard = (text: string) => understand(text, { ours, isDishWord }).intent;

type Said = readonly (readonly [text: string, intent: Intent | null])[];

/** Whatever language its page is in, the assistant knows these: people type in the one they like. */
const EVERYWHERE: Said = [
  ['do not cancel', 'no'],
  ['Do not cancel my order', 'no'],
  ['please don’t cancel it', 'no'],
  ["don't cancel", 'no'],
  ['i do not want to cancel my order', 'no'],
  ['never cancel', 'no'],
  ['please dont', 'no'],
  ['order cancel mat karo', 'no'],
  ['mat cancel karo', 'no'],
  ['cancel nahi karna hai', 'no'],
  ['cancel order nahi karna', 'no'],
  ['ऑर्डर रद्द मत करो', 'no'],
  ['रद्द नहीं करना', 'no'],
  ['ஆர்டர் ரத்து செய்ய வேண்டாம்', 'no'],
  ['cancel panna vendam', 'no'],
  ['ఆర్డర్ రద్దు చేయవద్దు', 'no'],
  ['order raddu cheyyoddu', 'no'],
  ['অর্ডার বাতিল করবেন না', 'no'],
  ['batil korben na', 'no'],
  // What is said not to be so is no complaint, and no wish.
  ['my order was not cancelled', null],
  ['i did not cancel my order', null],
  ['pizza was not cold', null],
  ["it wasn't cold", null],
  ['it did not arrive cold', null],
  ['not late', null],
  ['not damaged', null],
  ['nothing is missing', null],
  ['rider was not rude', null],
  ['it was not the wrong pizza', null],
  ['do not change my address', null],
  ['not cold not late', null],
  ['my order cancel nahi', null],
  ['please dont give', null],
  ['please dont do it', 'no'],
  ['is it possible do not cancel my order', 'no'],
  ['ho cancel mat karo', 'no'],
  ['ho sake to cancel mat karo', 'no'],
  ['cancel mat where is my order', 'where'],
  ['do not order again', null],
  ['please do not repeat it', null],
  ['i do not want this', null],
  ['i did not get my coke', null],
  ['pizza not hot', 'cold'],
  ['pizza thanda nahi tha', null],
  ['thanda nahi aaya', null],
  ['order late nahi hai', null],
  ['पिज्जा ठंडा नहीं', null],
  ['பீட்சா குளிர்ந்த இல்லை', null],
  ['పిజ్జా చల్లగా లేదు', null],
  ['পিজ্জা ঠান্ডা ছিল না', null],
  // What is beside it is still heard.
  ['do not cancel, where is my order', 'where'],
  ['it is not cold but late', 'late'],
  ['not late but damaged', 'damaged'],
  // What the "not" belongs to is something else.
  ['no, cancel it', 'cancel'],
  ['not arrived, cancel it', 'cancel'],
  ['pizza not arrived cancel it', 'cancel'],
  ['pizza nahi aaya cancel karo', 'cancel'],
  ['i do not want this order', 'cancel'],
  ['i dont want this order', 'cancel'],
  ['i cannot cancel my order', 'cancel'],
  ['it does not let me cancel', 'cancel'],
  ['order batil hocche na', 'cancel'],
  ['cancel kar do na', 'cancel'],
  ['order is late not arrived yet', 'late'],
  ['order late hai nahi aaya', 'late'],
  ['order late, nahi aaya', 'late'],
  ['not what i wanted, wrong pizza', 'wrong'],
  ['thanda garam nahi', 'cold'],
  ['i do not want the pizza', 'cancel'],
  ['wrong order hai mera nahi', 'wrong'],
  ['thanda hai acha nahi hai', 'cold'],
  ['still cold', 'cold'],
  ['phir nahi aaya', 'notDelivered'],
  ['coke nahi aaya', 'notDelivered'],
  ['not refunded', 'refund'],
];

const OWN: Readonly<Record<string, Said>> = {
  en: [
    ['cancel nahi ho raha', 'cancel'],
    ['cancel nahi hua', 'cancel'],
  ],
  hi: [
    ['रद्द नहीं करवाना', 'no'],
    ['कैंसिल मत कीजिए', 'no'],
    ['ठंडा न था', null],
  ],
  bn: [
    ['বাতিল কইরেন না', 'no'],
    ['বাতিল করার দরকার নেই', 'no'],
    ['ঠান্ডা হয় নাই', null],
  ],
  ta: [
    ['ரத்து செய்யாதே', 'no'],
    ['cancel seyya vendam', 'no'],
    ['தாமதம் illaye', null],
  ],
  si: [
    ['කැන්සල් කරන්න එපා', 'no'],
    ['cancel karanna epa', 'no'],
    ['සීතල නැහැ', null],
  ],
};

describe.each([['the words of all', EVERYWHERE] as const, ...Object.entries(OWN)])(
  'what is denied, in %s',
  (_, all) => {
    test('is not taken for what was said without the "not"', () => {
      expect(all.map(([text]) => [text, heard(text)])).toEqual(all);
    });
  },
);
