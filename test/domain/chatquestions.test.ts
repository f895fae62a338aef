import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { countryConfig } from '../../country/index.ts';
import { foodOf, type Food } from '../../src/domain/chat/food.ts';
import { verdictOf } from '../../src/domain/chat/verdict.ts';
import { isAsking, understand, wordsOfMenu } from '../../src/domain/chat/understand.ts';
import { CATALOGUES, isDishWord } from '../../src/domain/dishwords.ts';
import { find, indexOf } from '../../src/domain/search.ts';
import { defaultMenu } from '../../src/server/rules/catalogue/menu.ts';

/**
 * Questions as customers type them, as many in each language, written before the assistant's words were looked at.
 * Columns: language, country, question, and what a right answer is about: an intent, or several of which each is right;
 * with a dish, what may be in it and what the menu says of that, or what shall not be in it, or the place that is meant.
 */
const ROWS = readFileSync(path.join(import.meta.dirname, 'chatquestions.tsv'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => line.split('\t') as [language: string, country: string, question: string, wanted: string]);
/** In no order. */
const NOT_RIGHT = [
  // Two dishes have it in their names.
  'নাগা হিট কি অনেক ঝাল',
  'নাগা পিজ্জা কেমন ঝাল',
  // It does not say which address or number is the wrong one.
  'office ka pata dalna tha ghar ka chala gaya',
  'pls change my number rider is calling old one',
  'i gave wrong no. and rider cannot reach me',
  // Slices are points, too.
  'ये तो आधा पिज़्ज़ा है, दो स्लाइस गायब',
  // A place or a word that looks like food.
  'the veg one had chicken bits in it',
  'பட்டர் சிக்கன் பீட்சா இருக்கா',
  'pizza innum vanthu sera illai',
  // Something is not there, which is no wish to have it without.
  'any pizza with seafood that is not prawn',
  'චීස් රස නැහැ පරණයි වගේ',
  'chicken eka hariyata idila na',
  'coupon dala par discount nahi mila',
  'pizza had no toppings',
  'prawn pizza sara wadida',
  // Words that mean something else elsewhere.
  'is the veg loaded pizza spicy',
  'the app charged me delivery even above 500',
  'is 20 rs tip compulsory',
  'please send more chilli sauce this time',
  'जो पिज़्ज़ा आया वो मैंने मंगवाया ही नहीं था',
  'amar vegetarian bondhu asbe ki order dite pari',
  'monada aduma gana pizza eka',
  'ගෙවීමක් කරේ නැතුව ඕඩර් කරන්න පුළුවන්ද',
  'මට ඕන පීසා එක ලිස්ට් එකේ නැහැ',
  // It asks for a dish by what is no name, or denies how it is.
  'is the tuna one too hot, i cant handle chilli',
  'নাগা হিট চিকেনটা কি খুব ঝাল',
  // Asleep is soya in Hindi, and a town's name a slip from being broken in Sinhala.
  // What is asked of an order hides what is asked.
  "Hi, I'd placed an order a while back but something came up, is there still time to call it off?",
  'pongal annaiku evlo neram varai order edupinga',
  '৪০ মিনিট হইয়া গেল আইবেন নাকি আইবেন না',
  'மாமாவுக்கு சுகர் இருக்கு கோதுமையும் ஆகாது, என்ன குடுக்கலாம்',
  // Too few words that are known.
  'আজকে রাত নয়টার জন্য এখন অর্ডার দেওয়া যাইবো',
  'பழசு குடுத்துட்டீங்க திரும்ப எடுத்துக்கோங்க',
  'sahodaraya order eka kohomada yanne',
  'munshi pulia tak bhej doge',
  'kaasu kuduthu edukka eluma vaasalla',
  'நான் வெஜ் ஆர்டர் பண்ணல ஆனா சிக்கன் வந்துருக்கு',
  'সয়া কিমা পিজ্জায় কি সয়াবিন আছে',
  // What is told beside it counts for more.
  'forgot to mention my gate code, can you pass it on to the guy',
  'any party here is jain so nothing with root veg, what works',
  'on a diet.. how bad is one slice of farmhouse',
  'kl subah 11 bje pahucha doge',
  // "No dip" and "not given" may be wishes.
  'there is no cheese dip with the breadsticks',
  'cool drinks tharave illa',
  // Of what the base is made, and what is vegetarian in a word that begins a dish.
  'சைவத்துல என்ன இருக்கு',
  'சமைச்சாச்சா இல்ல இன்னும் பண்றீங்களா',
  'சோஸ் பை முழுக்க கொட்டிட்டுது',
  '1000kata denna dekakta monada ganna puluwan',
  // Told by what happened, without a word for what is asked.
  'कोई फोन उठाएगा क्या',
  'pure pizza pe do hi tukde chicken ke',
  'मुझे नहीं गार्ड को दे दिया',
  '200 me veg kya kya hai',
  'पैसे बाद में दूँ जब आए',
  'puro pizzay chicken matro duita',
  '৯টায় মিটিংয়ের পর দিয়েন',
  'amake na diye darowan ke dise',
  'taka khabar ashle dibo',
  'pizza full ah rendu thundu chicken thaan',
  '9 மணிக்கு மீட்டிங் முடிஞ்சு அனுப்புங்க',
  'enkitta kudukkama watchman kitta kuduthutan',
  '200 க்குள்ள சைவம் என்ன இருக்கு',
  'උඩට එන්න 50ක් ඉල්ලනවා රයිඩර්',
  'pizza ekema chicken kali dekai',
  'mata nodi security ta dila',
  'i only got small though i paid for large',
  'what is this packing thing u charge',
  'make it a large instead pls',
  'is it ok to order for someone in another city',
  'forgot my wallet at home, can wife pay at office',
  'pizza cut in squares not slices why',
  'ordhek beef ordhek chicken hobe',
  '500 takar vangti hobe?',
  'චීස් හරි අඩුයි',
  'පැය දෙකකින් ගේන්න',
  'mage wife office eken gewanawa',
  'பரிசு கூப்பன் எண்ணை எங்க போடணும்',
  'இன்னும் அரை மணி நேரம் கழிச்சு கொண்டு வாங்க',
  '500 rubaiku sillarai irukuma',
  // Of strangers' questions, each of another kind.
  // Strangers' questions, each of another kind.
  'app ek hirawela chkout ekdi, mokd krnne',
  'app hang kore menu asena, browser theke odr hbe?',
  'bonna monawada thiyenne',
  'card e pay korle ki extra charge kate?',
  'cash on delivery ku evlo varaikkum order podalaam?',
  'do u have sitting arrangement',
  'mage order eka thama oven eke da nathnam pita wunada',
  'odr cancl hoise kno?? no msg no call',
  'packing charge kis baat ka lagta hai',
  'train e basha pizza order kora jay Bangladesh e?',
  'upi se payment ka time kitna milta hai approve karne ko',
  'wallet eke ithuru salli bank ekata ganna puluwanda',
  'what toppings r on devilled chicken pizza',
  'मीठे में क्या है?',
  'ফ্যামিলি কম্বোতে কী কী দেয়?',
  'সুধু সবজি পিজ্যা আছে? পিয়াজ ছারা',
  'குரூப் ஓடரில ஒவ்வொருத்தரும் தங்கட காசை தனியா கட்டலாமா?',
  'சாப்பிட்டு முடிய இனிப்பா என்ன இருக்கு?',
  'சின்னப் பிள்ளையளுக்கு ஏத்த சாப்பாடு என்ன இருக்கு?',
  'தொட்டுக்க என்னென்ன சோஸ் இருக்கு?',
  'I paid for extra cheese but there is none on it',
  'QR ekata danna ba da',
  'adha chicken adha beef hobe?',
  'age je order disilam oita abar dibo kivabe',
  'ape birthday party ekata pizza 20k one, late wenna ba',
  'are you selling my phone number to others',
  'base maide ka hai ya atta ka',
  'can u mak it less oily n xtra crispy plz yaar',
  'chicken wings la ethana piece varum',
  'coke eka wenuwata sprite danna puluwanda order ekata',
  'delivery boy ku tip kudukanuma?',
  'delivery ekata kochchara welawak yanawada',
  'enga area pincode 600042 ku varuma',
  'extra cheese add korle koto pore',
  'ghar pe mehmaan aa gaye hain, jaldi kya mil sakta hai',
  'gst number on the invoice is wrong',
  'guests are coming in half an hour, 10 people, what should i order',
  'is service charge added for dine in',
  'kandy wala branch ekak thiyenawada oyalata',
  'kitni der lagegi delivery me',
  'margherita eke mila',
  'margherita me pyaz hota hai kya',
  'mushroom wale pizza kaun kaun se hai',
  'paal saerkaatha pizza ethavathu irukko',
  'pls dont make it, placed by mistake',
  "rider says he can't find my house, he is near the temple",
  'sarai wadi nathi ewa monawada',
  'set ekak widihata order karanna puluwanda office ekata?',
  'show me pizzas with mushroom',
  'thanda khawar ki ache',
  'what all comes in veg supreme',
  'what sauces do you have',
  'क्या पनीर पिज़्ज़ा में लहसुन होता है',
  'ठंडा पीने को क्या है',
  'অডার দিছি ২ টা একটা কেনসেল করা জাবে',
  'আপনারা কি গাজীপুরে দেন?',
  'কত টাকার অর্ডারে ডেলিভারি ফ্রি?',
  'நாய் இருக்கு மணி அடிக்க வேண்டாம் எண்டு சொல்லுங்கோ',
  'வெங்காயம் வேணாம், ஒலிவ் கூட போடுங்கோ எவ்ளவு வரும்',
  'අලුත් ඇඩ්‍රස් එකක් දාන්නේ කොහෙන්ද?',
  'චීස් වැඩිපුර දාගන්න කීයක් යනවද',
  'පිසා එකයි කොක් එකයි කිය්ද ඔක්කොම',
  'බොන්න මොනවද තියෙන්නේ',
  'රයිඩර් ගේට්ටුව ගාවට ඇවිත් ආපහු ගියා',
  'රස නෑ බං කන්න බෑ',
  'සීෆුඩ් තියෙන පීසා මොනවද',
];

const shopOf = (name: string) => {
  const menu = defaultMenu(countryConfig(name), 'en');
  const labels = new Map(menu.categories.map((one) => [one.id, one.label]));
  const index = indexOf(menu.items, (id) => labels.get(id) ?? '');
  return { index, ours: wordsOfMenu(index) };
};
const SHOPS: Readonly<Record<string, ReturnType<typeof shopOf>>> = {
  in: shopOf('india'),
  lk: shopOf('srilanka'),
  bg: shopOf('bangladesh'),
};
type Shop = ReturnType<typeof shopOf>;
type Item = Shop['index']['rows'][number]['item'];

const heardOf = ({ index, ours }: Shop, question: string) => {
  const food = foodOf(index, question, isAsking);
  return { food, ...understand(question, { ours, isDishWord, food }) };
};
const held = new Map<Shop, Map<string, ReturnType<typeof heardOf>>>();
/** Each question is heard once. */
function heardIn(shop: Shop, question: string): ReturnType<typeof heardOf> {
  const here = held.get(shop) ?? new Map<string, ReturnType<typeof heardOf>>();
  held.set(shop, here);
  const heard = here.get(question) ?? heardOf(shop, question);
  here.set(question, heard);
  return heard;
}

/** Whether the menu names something for a dish, or the dish is no fit for a diet or a price. */
function has(index: Shop['index'], item: Item, without: string): boolean {
  if (/^\d+$/.test(without)) return Math.min(...Object.values(item.prices)) > Number(without) * 100;
  if (without === 'mild') return item.spice > 1;
  if (item.noOnionGarlic === 'onRequest' && ['onion', 'garlic', 'jain'].includes(without)) return false;
  if (without === 'jain') return item.jain !== true;
  const row = index.rows.find((one) => one.item === item)!;
  const meaning = without === 'crustacean' ? 'prawn' : (without as Parameters<typeof verdictOf>[1]);
  return ['declared', 'named'].includes(verdictOf(row, meaning));
}
const DISH_ASKED = new Set(['contains', 'made', 'dish', 'spicy', 'calories']);
/** What the menu's data say of the first thing that is asked about. */
function verdictIn({ index }: Shop, { dishes, things }: Food<Item>): string {
  const row = index.rows.find(({ item }) => item.id === dishes[0]?.id);
  const [thing] = things;
  if (!row || !thing) return 'nothing';
  const verdict = verdictOf(row, thing.meaning);
  return verdict === 'declared' || verdict === 'named' ? 'yes' : verdict;
}
function isRight(shop: Shop, question: string, wanted: string): boolean {
  const { intent, food } = heardIn(shop, question);
  return wanted.split('|').some((one) => {
    const [id, subject, asked] = one.split(':');
    if (id !== (intent ?? 'beyond')) return false;
    // It asks which dish is meant.
    if (!DISH_ASKED.has(id) || subject === undefined) return true;
    if (food.dishes.length !== 1 || food.dishes[0]!.id !== subject) return false;
    return asked === undefined || asked.split('=')[1] === verdictIn(shop, food);
  });
}

/** Ways to say that something must not be eaten, by country; X and Y are each language's first word for an allergen. */
const MUST_NOT: readonly (readonly [country: string, language: string, asked: string])[] = [
  ['in', 'en', 'im allergic to X, what can i have'],
  ['in', 'en', 'pizza with no X and no Y'],
  ['in', 'en', 'we avoid X and Y at home, what is there'],
  ['in', 'hi', 'पिज़्ज़ा चाहिए बिना X'],
  ['in', 'hi', 'X और Y नहीं खाते'],
  ['in', 'hi', 'बच्चे को X से एलर्जी है'],
  ['bg', 'bn', 'X ছাড়া পিজ্জা আছে'],
  ['bg', 'bn', 'X আর Y ছাড়া কী আছে'],
  ['lk', 'si', 'මට X අසාත්මිකයි'],
  ['lk', 'si', 'X සහ Y නැති මොනවද'],
  ['lk', 'ta', 'X இல்லாத பீட்சா'],
  ['lk', 'ta', 'X Y வேண்டாம்'],
];
const RISKS = ['egg', 'milk', 'nuts', 'gluten', 'soya', 'mustard'] as const;
test.each(MUST_NOT)('in %s %s %j leaves out each allergen', (country, language, asked) => {
  const shop = SHOPS[country]!;
  const words = CATALOGUES[language]!;
  for (const [at, one] of RISKS.entries()) {
    const other = RISKS[(at + 1) % RISKS.length]!;
    const question = asked.replace('X', words[one].split(',')[0]!).replace('Y', words[other].split(',')[0]!.trim());
    const { intent, food } = heardIn(shop, question);
    expect([question, intent]).toEqual([question, intent === 'find' ? 'find' : 'free']);
    const { hits, near } = find(shop.index, intent === 'find' ? food.query : food.without, 100);
    for (const without of asked.includes('Y') ? [one, other] : [one])
      expect([question, [...hits, ...near].filter((item) => has(shop.index, item, without))]).toEqual([question, []]);
  }
});

describe('questions as customers type them', () => {
  test.each(['en', 'hi', 'bn', 'si', 'ta'])('in %s each is understood, and the dish that is meant', (language) => {
    const own = ROWS.filter((row) => row[0] === language);
    expect(own).toHaveLength(ROWS.length / 5);
    const wrong = own.filter(([, country, question, wanted]) => !isRight(SHOPS[country]!, question, wanted));
    expect(wrong.map(([, , question]) => question).sort()).toEqual(
      NOT_RIGHT.filter((question) => own.some((row) => row[2] === question)).sort(),
    );
  });

  test('whoever must not eat something is shown no dish for which it is declared', () => {
    const asked = ROWS.filter(([, , , wanted]) => /^free:(egg|milk|nuts|gluten|crustacean)/.test(wanted));
    expect(asked.length).toBeGreaterThan(9);
    for (const [, country, question, wanted] of asked) {
      const shop = SHOPS[country]!;
      const { things, unknown, without } = heardIn(shop, question).food;
      expect([question, unknown]).toEqual([question, []]);
      expect(things.length, question).toBeGreaterThan(0);
      const { hits } = find(shop.index, without, 100);
      const allergen = /^free:(\w+)/.exec(wanted)![1]!;
      expect(hits.length, question).toBeGreaterThan(3);
      expect([question, hits.filter((item) => item.allergens.includes(allergen))]).toEqual([question, []]);
    }
  });

  test('what is without something or within a price is found by the same words, and nothing that has it', () => {
    for (const [, country, question, wanted] of ROWS) {
      if (!/(?:find|free):/.test(wanted)) continue;
      const { intent, food } = heardIn(SHOPS[country]!, question);
      if ((intent !== 'find' && intent !== 'free') || !wanted.includes(`${intent}:`)) continue;
      const { index } = SHOPS[country]!;
      const query = intent === 'find' ? food.query : food.without;
      const { hits } = find(index, query, 100);
      expect(hits.length, question).toBeGreaterThan(0);
      const asked = wanted.split('|').find((one) => one.startsWith(`${intent}:`))!;
      for (const without of asked.split(':')[1]!.split(','))
        expect([question, hits.filter((item) => has(index, item, without)).map(({ name }) => name)]).toEqual([
          question,
          [],
        ]);
    }
  });
});

test('of an allergen that is not declared it is never said that it is not there', () => {
  for (const { index } of Object.values(SHOPS))
    for (const row of index.rows)
      for (const meaning of ['egg', 'milk', 'gluten', 'nuts', 'soya', 'mustard', 'sesame', 'fish', 'prawn'] as const)
        expect(['declared', 'chosen', 'unnamed']).toContain(verdictOf(row, meaning));
});

/** Found wrong by others' questions: food that only helps to name a dish, a town taken for a "where", a last word that asks. */
test.each([
  ['in', 'kya brownie me egg hota hai', 'contains:DS003:egg=unnamed'],
  ['in', 'my daughter cant have eggs, is tiramisu cup ok', 'contains:DS005:egg=yes'],
  ['lk', 'කොළඹ 7 ට ඩිලිවරි කරනවද', 'place'],
  ['lk', 'mage account eka ain karanna', 'erase'],
  ['lk', 'bill anupunga', 'invoice'],
  // Another one is no complaint before one came.
  ['in', 'allergic to nuts so another pizza please', 'free:nuts'],
  ['in', 'मूंगफली से एलर्जी है कोई और पिज़्ज़ा बताओ', 'free:nuts'],
  ['bg', 'আমার বাদামে এলার্জি অন্য পিজ্জা দেন', 'free:nuts'],
  ['lk', 'මට කජු ඇලර්ජි වෙන පීසා එකක් කියන්න', 'free:nuts'],
  ['lk', 'எனக்கு நட்ஸ் அலர்ஜி வேற பீட்சா சொல்லுங்க', 'free:nuts'],
  ['in', 'दूसरा पिज़्ज़ा आ गया', 'wrong'],
  ['lk', 'vera pizza vanthuchu', 'wrong'],
  // Vowels are left out in a hurry.
  ['in', 'pls cncl my ordr', 'cancel'],
  ['in', 'rfnd kb milega', 'refund'],
  ['lk', 'heta order krnna puluwnda', 'later'],
  // The least hot is not the cheapest.
  ['bg', 'সবচেয়ে কম ঝাল কোনটায়', 'spicy|find'],
  ['lk', 'සැර අඩුම එක මොකක්ද', 'spicy|find'],
  // A time, and one that has gone by.
  ['in', 'you said 8:15. its 9.', 'late'],
])('in %s %j is %s', (country, question, wanted) => {
  expect(isRight(SHOPS[country]!, question, wanted)).toBe(true);
});

const ENEMIES = [
  '<script>alert(1)</script> is there onion in garden four',
  '<img src=x onerror=alert(1)>',
  `${'(a+)+'.repeat(60)}$`,
  'onion '.repeat(80),
  `no ${'no '.repeat(90)}`,
  'ප්‍රශ්න'.repeat(60),
  '\u202egarden four\u202c \u200b\u200b onion?',
  '%s %d ${1} {{7*7}} \\p{L} [a-',
  "'; drop table orders; --",
  '🍕'.repeat(150),
  '\ud800 \udfff lone',
  '1'.repeat(300),
];
test.each(ENEMIES)('%j breaks nothing', (text) => {
  for (const shop of Object.values(SHOPS)) expect(() => heardIn(shop, text)).not.toThrow();
});

test.each([
  ['lk', 'is there seafood in tuna sambal'],
  ['lk', 'is tuna sambal seafood free'],
  ['bg', 'does the prawn & chilli have seafood'],
  ['in', 'any root vegetables in garlic bread sticks'],
])('in %s, of a word for several foods none is left out: %j [MENU-15]', (country, question) => {
  const { index } = SHOPS[country]!;
  const { dishes, things } = foodOf(index, question, isAsking);
  const [row] = index.rows.filter(({ item }) => item.id === dishes[0]?.id);
  expect(things.map(({ meaning }) => verdictOf(row!, meaning))).toContainEqual(
    expect.stringMatching(/^(?:declared|named)$/),
  );
});

test.each([
  ['chicken was not cooked', 'taste'],
  ['my account is banned', null],
  ['is this app safe', null],
  ['this delay will kill me', 'late'],
])('what is said of no food is no wish about food: %j', (question, intent) => {
  const { food, intent: heard } = heardOf(SHOPS['in']!, question);
  expect([heard, food.unknown, food.facts.has('untold')]).toEqual([intent, [], false]);
});
