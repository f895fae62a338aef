import type { Issue } from '../../contract/help.ts';
import { wordsIn, type Words } from '../wordList.ts';
import type { MeaningName } from './words.ts';

/** What can be asked. What is wrong with an order is named as the help names it (contract/help.ts). */
export type Intent =
  | Issue
  | Words<`where note address cancel anew invoice refund offers hours allergens code again fees promise dish contains made
      free find cheap halal calories spicy serves place minimum tax pickup later receiver notices harm privacy
      savedCard gift history stolen rating recipe access party kitchen half popular group train pays payer wallet
      coupon points erase account phone login language law person hello thanks able yes no`>;

interface IntentRow {
  readonly id: Intent;
  /** Any of these: all meanings of one have to be in the question. */
  readonly means: readonly (readonly MeaningName[])[];
  /** Not with one of these, which make it another question. */
  readonly unless?: readonly MeaningName[];
}

type Bare<Word extends string> = Word extends `${infer Name},` ? Name : Word;
/** Has the compiler read each name of a row. */
type Row<S extends string> = S extends `${Intent}: ${infer Names}`
  ? Bare<Words<Names>> extends MeaningName | 'unless'
    ? unknown
    : never
  : never;

/** A question: its name, sets of meanings with commas between, any of which is enough, and what makes it another question. */
function asks<const S extends string>(row: S & Row<S>): IntentRow {
  const text: string = row;
  const [id, names = ''] = text.split(': ');
  const [sets = '', unless] = names.split(' unless ');
  const means = sets.split(',').map((set) => wordsIn(set) as MeaningName[]);
  return { id: id as Intent, means, ...(unless ? { unless: wordsIn(unless) as MeaningName[] } : {}) };
}

/** What is asked of a delivery beside where it goes. */
const NO_PLACE = `fee minimum work train pickup note cancel late refund failed offer invoice points human free price
  code promise again missing wrong cold denied where damaged taste rude method erase law`;

/** One entry an intent. Where two say as much, the first one counts. */
export const INTENTS: readonly IntentRow[] = [
  // Whoever is ill from food needs help before an answer about the dish.
  asks('harm: harm'),
  asks('kitchen: kitchen, kitchen diet, kitchen contain, kitchen made, kitchen mixed unless allergen'),
  asks('access: access, access order, access how, access open'),
  asks('stolen: stolen, stolen account, stolen login, stolen order, stolen call, stolen savedCard, stolen someone'),
  asks(`savedCard: savedCard, savedCard erase, savedCard erase account, savedCard account, savedCard privacy,
    savedCard how
    unless failed extra offer refund`),
  asks('gift: gift, gift want, gift receiver, gift relative sendTo, gift wallet, gift method unless refund missing'),
  asks(`privacy: privacy, privacy account, privacy call, privacy someone, privacy other, privacy given,
    privacy keep, privacy rider, privacy call rider, privacy invoice
    unless erase`),
  asks(`history: history, history where, history order, history last, history last order
    unless again refund invoice erase bill missing wrong cold taste points money`),
  asks('rating: rating, rating rider, rating order, rating where, rating taste, rating store unless points'),
  asks(`party: party, party order, party serves, party group, party call, party birthday, party serves order
    unless work allergen thing diet late missing wrong refund cancel`),
  // "What does extra cheese cost", "thin crust in all sizes", "mushrooms instead of corn".
  // "Mushrooms instead of corn?"
  asks(`recipe: recipe, recipe price, recipe extra, recipe extra price, recipe serves, recipe instead,
    recipe takeOut, recipe change, recipe addTo, recipe menu, recipe other, recipe want, recipe contain,
    recipe recipe, recipe how, instead may, instead thing may
    unless asked half missing given arrive wrong cold taste damaged allergen diet forbidden inOrder refund late rude
      payment`),
  asks(`find: kind made, kind contain, kind menu, kind want, kind made contain, kind price
    unless missing given arrive wrong cold taste damaged allergen not inOrder refund late recipe extra bill free offer
      points note address warm train reach unknown`),
  asks('offers: birthday free, birthday given, birthday contain unless party later'),
  asks('offers: birthday offer'),
  asks('refund: refund, refund cancel, refund human, money back, money back when, money back not, money back cancel'),
  // An order that came twice by mistake is cancelled, and its money was taken.
  asks('refund: cancel money, cancel money arrive unless failed extra'),
  asks(`refund: money bank want, money bank back, wallet bank, wallet bank money
    unless failed extra method payment rider how`),
  asks('refund: money arrive when unless rider extra minimum fee method'),
  asks(`invoice: invoice, invoice bill, bill want, bill order, bill last, bill last order, bill how, bill tax want,
    bill tax account, bill tax call, bill where, bill
    unless wrong extra failed`),
  asks('invoice: bill reach unless wrong extra failed fee free rider arrive'),
  asks('halal: halal, halal contain, halal ours'),
  asks(`contains: dish thing contain, dish thing allergen, dish thing made, dish diet contain, dish diet eat,
    dish thing eat, dish thing substance, named dish thing diet
    unless missing wrong damaged late denied mixed extra price cheap`),
  asks(`contains: named dish thing
    unless missing wrong damaged late denied mixed extra price cheap want cold taste instead arrive order not menu
      budget points offer`),
  asks(`made: made order, made ours, made made
    unless serves price chooses allergen diet thing untold budget cheap missing wrong arrive group offer late taste
      damaged cold not`),
  asks('made: dish made, dish made contain unless missing wrong late denied price offer budget'),
  asks(`free: thing allergen, thing allergen contain, thing allergen diet, allergen diet, thing eat,
    substance thing eat, forbidden contain, forbidden not, substance thing contain, substance thing diet
    unless dish missing wrong late denied`),
  // "Is pepperoni pork?"
  asks(`free: forbidden ours, forbidden thing
    unless instead dish want menu price order arrive wrong given missing kind diet`),
  asks('free: allergen untold unless refund back dish missing wrong late denied taste failed payment method'),
  asks(`cheap: cheap, cheap order, cheap ours, cheap price, cheap diet
    unless minimum cancel refund missing late spicy`),
  asks(`find: chooses, chooses ours, diet, diet ours, diet want, diet menu, diet thing
    unless missing wrong damaged late denied bill refund work failed cancel keep instead taste offer points code rude
      minimum mixed note address human minutes promise cold`),
  asks('find: diet forbidden, diet forbidden contain unless missing wrong damaged late denied mixed refund given'),
  asks(`find: untold want, untold ours, untold order, untold menu, untold contain, untold made
    unless denied arrive late rider given asked call account money note handover`),
  asks(`find: budget, budget want, budget ours, budget menu, budget order, budget cheap
    unless reach refund failed fee minimum arrive offer points late bill wrong minutes promise clock hours`),
  asks('calories: calorie, calorie ours, calorie dish, calorie order'),
  asks(`spicy: spicy, spicy want, spicy order, spicy part, spicy dish, spicy dish ours
    unless note allergen missing wrong`),
  asks('spicy: spicy ours, spicy contain, spicy ours contain unless allergen missing wrong note diet chooses'),
  asks('serves: serves, serves order, serves ours, serves dish, serves eat, serves want unless missing offer human'),
  asks(`allergens: allergen, allergen menu, substance contain, substance allergen, contain allergen, substance ours
    unless missing halal taste`),
  asks('cancel: cancel, cancel order, not want order, erase order unless refund diet keep'),
  // "Add a coke to my order": it is cancelled and begun again.
  asks(`anew: resize order, resize asked, inOrder addTo, inOrder takeOut, inOrder change, inOrder resize
    unless where address call note missing offer invoice refund allergen taste group method`),
  asks('anew: inOrder instead unless arrive given wrong missing'),
  asks(`address: address change, address old, address other, address address, address address change,
    address address erase, address twoSums not, address wrong, address order, arrive change address, arrive address`),
  asks('address: address addTo, address addTo other unless inOrder order note'),
  asks(`note: note change, note order, note rider, note store, note arrive, note, note call, note not, note note,
    cutlery, cutlery want, cutlery order, cutlery note, cutlery arrive, rider call instead, leave handover,
    leave handover order, leave note
    unless wrong code rude`),
  asks('note: rider call when unless wrong code rude human where'),
  asks('missing: not arrive extra unless points late'),
  asks('missing: asked not unless arrive refund want when may note order'),
  // "It came, but no garlic bread."
  asks('missing: part diet arrive, part diet arrive order unless allergen when want reach eat price'),
  asks(`missing: missing, missing order, missing substance, pack not, pack not part, pack diet, pack untold,
    part not arrive, part not given, part missing, part twoCounts given, part twoCounts arrive, twoCounts outOf,
    twoCounts money given, cutlery not given, cutlery not arrive, cutlery missing, order twoCounts given,
    asked twoCounts given, asked twoCounts arrive
    unless points damaged allergen`),
  asks('cold: cold, cold order, cold arrive, cold arrive order unless want work'),
  asks('damaged: damaged, damaged order, damaged arrive'),
  asks('taste: taste, taste taste, taste order, taste not unless cold forbidden chooses'),
  // "It cannot be eaten" is no diet.
  asks('taste: taste taste, taste not unless cold forbidden thing may want menu allergen'),
  // "The coke was warm."
  asks(`taste: warm part, warm part arrive, warm part given
    unless want menu price allergen diet may contain not spicy`),
  asks('rider: rider money, rider extra unless fee price method refund back failed reach'),
  asks('rider: rider sum want unless minutes note call when menu code address'),
  asks('rider: rider rude, human rude, rude, rider taste, rider money extra, rider bill extra, rider bill money'),
  asks(`bill: bill wrong, bill extra, twoCounts bill, bill extra money, extra money, money wrong, fee extra,
    payment extra bill`),
  asks(`payment: payment failed, payment broken, payment broken not, sum failed, money failed, payment not,
    payment extra, payment wrong, method failed, method broken, money failed order not, money extra failed,
    payment extra failed
    unless offer refund`),
  asks(`wrong: wrong order, wrong arrive, wrong menu, wrong arrive order, mixed arrive, mixed contain order,
    mixed order, mixed given, mixed asked, mixed asked given, recipe asked, wrong given human, wrong rider,
    wrong given, sizes given, sizes arrive, sizes asked, whose order, whose arrive, whose given
    unless address bill`),
  asks(`wrong: instead arrive, instead order, instead ours, instead diet, instead thing
    unless address bill may inOrder`),
  asks('wrong: wrong asked unless cancel pickup address payment offer code bill money'),
  asks('wrong: inOrder instead arrive, inOrder instead given'),
  // One too many.
  asks(`wrong: extra arrive, extra arrive order
    unless money payment bill late missing fee sum rider price not want may part`),
  // "I said without onion."
  asks(`wrong: diet told, diet told arrive, diet told contain, forbidden not given, forbidden not arrive
    unless may note menu want allergen when`),
  asks('wrong: other given, other given order, other asked unless address bill allergen want again'),
  asks('wrong: address other given, whose bill, whose pack'),
  // "I asked for one and you sent another."
  asks('wrong: asked given unless note address bill late not when where twoCounts rude money minutes promise clock'),
  asks(`bill: sum why, sum why bill, sum extra why, twoSums failed, twoSums menu, twoSums bill, twoSums extra,
    twoSums failed menu
    unless diet chooses want late wrong`),
  asks(`notDelivered: claimed, claimed not, claimed arrive, claimed given, claimed not arrive, claimed late,
    claimed not rider
    unless wrong cold damaged taste part`),
  asks('late: late, late late, late not, late minutes, late order, late arrive order, late store unless work train'),
  // "You said half an hour."
  asks('late: told minutes, told clock, told minutes late, told late unless back refund money'),
  asks('notDelivered: not arrive order, not arrive unless when where late taste'),
  // How much time, and no price.
  // "How late will it be?"
  asks(`where: where train, where price order, when train, late train, late train if, late late train,
    late when train, train order where, where order, where, when order, when arrive, when when arrive,
    when late arrive, where arrive, where rider, rider call, rider human, rider not, order arrive, when arrive order,
    when not arrive order, minutes arrive order, minutes arrive, minutes when arrive, late where order,
    late late where, where not arrive order
    unless work pickup store code privacy range`),
  asks('where: left, left not, left order, left late, left not late'),
  asks('where: when when unless store code hours'),
  asks('where: where where unless store account change call address invoice'),
  asks('where: reach unknown when arrive unless store code fee refund'),
  asks('code: code train, code handover, code order, code rider, code where, code handover rider unless offer'),
  asks('offers: offer, offer today, offer order unless notices points'),
  asks('offers: twoCounts free, twoCounts free order unless minutes promise late points reach arrive refund'),
  asks(`hours: hours, open store, open today, open when, open hours, open contain, open clock, when open store,
    open late, store when
    unless damaged account erase payment refund work`),
  asks(`hours: weather reach, weather arrive, weather open, weather order
    unless late where given cold damaged taste when cancel fee price work`),
  asks('hours: hours order unless late taste arrive where not erase refund'),
  asks(`promise: promise, promise when, promise when arrive, promise when when arrive, promise minutes when arrive,
    promise late, minutes free, late free, late if, minutes if free, minutes promise, minutes free late`),
  asks(`fees: fee arrive, fee reach, fee order, arrive free, arrive free order, arrive free price, arrive free when,
    fee price, fee contain, fee how, fee why, price arrive, price arrive money
    unless refund minimum`),
  asks('fees: fee payment, fee money unless refund wrong extra bill failed back why'),
  asks('fees: fee extra why, fee extra contain, fee extra reach unless bill wrong refund failed rider'),
  asks('fees: reach free unless refund minutes late promise points offer'),
  asks('again: again order, again last order, last order want, again, again reach unless not'),
  asks(`again: last asked, last asked want, last asked again
    unless not wrong cold taste late missing refund bill invoice points money damaged cancel offer rude when where
      failed payment denied`),
  asks('dish: menu, want menu, price menu, price how, ours, want ours unless denied'),
  asks('dish: price price, price ours unless denied why'),
  // "Why do you not come to our area?"
  asks(`place: reach not why, reach reach why, reach address why, reach not address
    unless fee minimum work train pickup note cancel late refund failed offer invoice points human free price code
      promise again missing wrong cold where damaged taste rude method erase law`),
  // "How far do you deliver?"
  asks('place: range, range reach, range arrive, range arrive price, range want unless order rider late refund'),
  asks(`place: reach unknown, reach unknown want, reach store unknown
    unless ${NO_PLACE}`),
  asks(`place: reach, reach want unless ${NO_PLACE} no`),
  asks('minimum: minimum, minimum order, minimum price, minimum order price, minimum money, minimum fee'),
  // Nothing is added for paying with a card.
  asks(`tax: tax, tax tax, tax other, tax price, tax contain, tax money, tax contain price, fee method,
    fee method extra
    unless refund failed`),
  asks('pickup: reach store where unless order open hours late wrong'),
  asks('pickup: pickup, pickup order, pickup store, pickup how, pickup unknown, pickup when unless points'),
  asks(`pickup: store where, store unknown, store unknown contain, store unknown where
    unless thing diet forbidden untold dish later clock group order call open note rude late work reach hours when
      wrong taste human address not`),
  asks(`later: later, later order, later when, later order when, later arrive, clock later, clock today,
    clock today order
    unless note where address cancel change not hours open late refund wrong cold taste work`),
  asks('later: clock later, later today unless address cancel hours open late refund wrong work change'),
  // "After half an hour" is no complaint before it went by.
  asks('later: later late, later minutes unless not where when told cancel refund promise cold given wrong bill'),
  // "Colombo 7" is a place.
  asks(`later: clock order, clock arrive, clock want, clock sendTo
    unless where cancel change not hours open late refund wrong cold taste reach`),
  asks(`receiver: receiver, receiver order, relative sendTo, relative sendTo order, receiver relative,
    receiver relative sendTo
    unless payer payment method refund missing late note wrong offer allergen`),
  asks('half: halved halved missing, halved halved mixed unless not arrive given'),
  asks(`popular: popular, popular ours, popular order, popular menu, popular diet, popular serves
    unless thing budget offer cheap thanks given allergen spicy`),
  asks(`group: group, group order, group order want, group how, group serves, group serves order, group group,
    group bill, group group order
    unless missing late offer wrong invoice`),
  asks('notices: notices, notices change, notices cancel, notices not, notices how'),
  asks(`half: half, half ours, half order, half want, halved halved, halved halved ours
    unless missing late minutes wrong cold damaged offer method payment`),
  asks(`train: train arrive, train reach, train reach arrive, train train, train train reach, train order,
    train want, train order how, train order want
    unless late when where code`),
  asks(`pays: method, method want, method payment, method money, method arrive, payment how, payment money how,
    method payment money, method bill, method most, method most order, method most money
    unless gift savedCard erase sizes menu fee refund failed extra wrong cancel late invoice points offer back`),
  asks(`pays: payment when arrive, money may arrive
    unless sizes asked refund failed extra wrong cancel late back not rider fee price claimed`),
  asks(`payer: payer, relative bill may, payer payment, payer money, payer method, payer relative, relative payment,
    relative payment may, relative payment money, relative money may, relative method payment, relative money call
    unless refund failed extra wrong cancel late back rider missing group arrive`),
  asks(`wallet: wallet, wallet money, wallet payment, wallet price, wallet where, wallet failed money,
    wallet missing money
    unless refund method extra wrong cancel late back points`),
  asks('wallet: wallet method unless refund extra wrong cancel want may how payment'),
  asks('coupon: offer wrong, offer code wrong unless arrive order'),
  asks('coupon: offer bill, offer bill where unless want invoice'),
  asks('coupon: offer not unless taste contain want today'),
  asks('pays: method method unless gift savedCard erase fee offer menu refund failed extra wrong cancel late points'),
  asks('coupon: offer broken, offer failed, offer code not, offer code broken'),
  asks('coupon: code broken unless login rider handover arrive account train'),
  asks(`points: points, points want, points when, points order, points offer, points free order, points price,
    points missing, points not arrive, free order how
    unless serves`),
  asks('points: points serves'),
  asks(`erase: erase account, erase privacy, erase history, erase account how, open account, account cancel,
    erase call`),
  asks('account: account change, account wrong, account how, account where unless erase not'),
  asks(`phone: call change, call call change, call change account, call how account, call wrong account,
    call change order, call other, call other order
    unless address note rider handover cancel human`),
  asks('phone: call other rider, call other note, call other broken unless address payer payment money relative'),
  asks('phone: call wrong unless rider address store'),
  asks(`login: login, login not, login missing, code not, code not arrive, account open not, login code
    unless rider train offer order`),
  asks('language: language, language change, language how, language call unless rude human someone'),
  // A mother-in-law is none.
  asks('law: law, law human unless relative'),
  asks('person: human, call someone, call human, human someone, call, call store, able someone unless work'),
  asks('person: call call unless change wrong rider'),
  asks('yes: yes unless where'),
  asks(`no: no
    unless arrive forbidden order store address contain substance thing dish part given want ours kind taste allergen`),
  asks('no: keep, keep order, no keep, no keep order'),
  asks('able: able, hello able'),
  asks('hello: hello, hello yes unless where'),
  asks('thanks: thanks, thanks yes'),
  asks(`thanks: thanks order
    unless not cold wrong late missing damaged denied refund change cancel where want when menu price payment offer
      again no contain ours`),
  asks('thanks: thanks given unless not cold wrong late missing damaged when where reach refund change cancel other'),
  // "Thank you, very tasty."
  asks('thanks: thanks taste unless not cold wrong late missing damaged denied refund change address'),
  // "Does the sauce have garlic?"
  asks(`free: thing contain
    unless damaged pack dish open allergen diet forbidden missing given arrive recipe kind chooses untold budget cheap
      price want menu wrong cold taste late instead asked`),
];
