/** Files of the state by their names, and the tests of whole pages that meet them: those of the screens that show them. */
const PAGES: readonly (readonly [RegExp, string])[] = [
  [/^(train|pnr|station|onTrain)/, 'screens/trains'],
  [
    /^(login|password|social|session|vendorLogin|reactivation|smsCode|challenge|secretStorage|ownerCode)/,
    'screens/{login,account,leaving,entered}',
  ],
  [
    /^(account|profile|devices\.|deviceId|deviceCheck|deletion|forget|queuedFeedback|analyticsId)/,
    'screens/{account,login,leaving,privacy}',
  ],
  [
    /^(modes|quote|terms|placing|payment|anotherAttempt|cashCode|funds|linkedWallets|wallet|hasWallet|hostSheet|vouchers|redeem)/,
    'screens/{paying,payment}',
  ],
  [/^(paylinks|orders|journal|copy)/, 'screens/{paying,payment,following}'],
  [/^(orderStream|tracking|push|invoice|lastSeen)/, 'screens/{following,payment}'],
  [/^(history|favouriteOrders|reorder|lastOrders|deviceOrders|feedback)/, 'screens/{history,reorder,feedback,hosted}'],
  [
    /^(places|stores|addresses|map|recents|arrivalEstimate|location|timeSlots|table|storeOffers)/,
    'screens/{location,home,typed}',
  ],
  [/^(builder|deals|priceList|pizzaArt)/, 'screens/customise'],
  [/^(menu|filters|search|favourites|voice|memory|household|schemas)/, 'screens/{menu,search,memory,customise}'],
  [/^(cart|setAside|upsell|coupons|wheel|kept|ids|forget\.|popup)/, 'screens/{cart,routes,home}'],
  [/^(group|party)/, 'screens/{customise,home,routes}'],
  [/^share/, 'screens/{hosted,home,following}'],
  [/^usual/, 'screens/usual'],
  [/^(help|chat)/, 'screens/{chat,following}'],
  [/^(loyalty|league)/, 'screens/{rewards,typed}'],
  [
    /^(consents|usage|experiments|abVariant|telemetry|campaign|botSignals)/,
    '{screens/{experiments,consent},shell/{telemetry,telemetryMissing,visitor}}',
  ],
];
const OTHERS = '{screens/{home,hosted,privacy},shell/{page,start,enter,features}}';

/** A pattern of the test files that meet this file of src/state from the outside. */
export function pagesOf(file: string): string {
  const name = file.slice(file.lastIndexOf('/') + 1);
  const found = PAGES.find(([names]) => names.test(name))?.[1] ?? OTHERS;
  return `test/${found}.test.{ts,tsx}`;
}

/** Rules by their folder, and the tests of the server that are about them. */
const CALLS: Readonly<Record<string, string>> = {
  assistants: 'assistants,assistantOrders,assistantLogin,ucp',
  cart: 'cart,invariants,moneyCases,optimise,reorder,coupons,group,groupSeats,price,promos,wheel,menu,cardOffers,returns,loyalty',
  catalogue: 'catalogue,menu,spoken,languages,stores,localities,favourites,partners,features,tracking',
  chat: 'chatPlaces,questions,spoken',
  checkout:
    'checkout,orders,arriving,payments,idempotency,usual,reorder,promos,twice,help,cardOffers,firstOrder,trains,group,savedCards,vouchers,wallet,funds,payLinks,invoice,moneyCases,documents,linkedWallets',
  deletion: 'deletion,deletionNews,helpDeleted',
  documents: 'documents,consents,spoken,languages',
  experiments: 'experiments,experimentStatistics,features',
  feedback: 'feedback,spoken',
  group: 'group,groupSeats',
  help: 'help,helpAttacked,helpDeleted,helpLimits,feedback,returns,wallet,deletion,payersMoney,loyalty',
  hosts: 'hosts,vendors,login,partners',
  invoice: 'invoice,draw,receipt,receipts,tracking',
  league: 'league,spoken,deletion',
  login: 'login,loginMoves,session,vendors,loyalty,groupSeats',
  loyalty: 'loyalty,wheel,spoken',
  offers: 'coupons,couponRules,optimise,promos,cardOffers,firstOrder,wheel,moneyCases,price,cart,spoken',
  order:
    'orders,orderView,papers,tracking,history,pace,arriving,returns,trains,trainRules,trainWatch,trainJourneys,invoice,receipt,receipts,help,payments,paytm,paytmGateway,vendorReplies,sweep,bank,deletion,favouriteOrders,wallet,spoken',
  payment:
    'payments,payLinks,payersMoney,linkedWallets,wallet,funds,vouchers,returns,orders,paytm,paytmGateway,savedCards,receipts,help,breakers,invoice,deletion,helpDeleted,partners',
  people:
    'login,session,profile,passwords,social,deletion,deletionNews,codes,authorisation,botSignal,consents,vendors,activity,linkedWallets,vouchers',
  places: 'places,stores,localities,placeQueries,gazetteer,tiles,addresses,menu,spoken',
  placing: 'orders,payments,paytm,vendorReplies,trains,receipts,feedback,returns,cardOffers',
  pricing: 'price,papers,moneyCases,cart,invoice,invariants',
  reliability: 'idempotency,twice,lanes,jobs,metrics',
  shopfront: 'found,standing,stores',
  trains: 'trains,trainRules,trainWatch,trainSaved,trainJourneys,spoken,languages',
};

/** A pattern of the server's tests that are about this file of src/server/rules. */
export function callsOf(file: string): string {
  const tests = CALLS[file.split('/')[3] ?? ''];
  return tests === undefined ? 'test/server/*.test.ts' : `test/server/{${tests}}.test.ts`;
}
