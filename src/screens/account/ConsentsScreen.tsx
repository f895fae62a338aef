import * as alive from '#text/alive.ts';
import * as experiments from '#text/experiments.ts';
import * as t from '#text/privacy.ts';
import { atom, useAtomValue, useSetAtom } from 'jotai';
import { dateFormat } from '../../domain/hours.ts';
import { PURPOSES, type Purpose } from '../../contract/consents.ts';
import { consentToAtom, isRefusedByBrowserAtom, sayAtom, syncConsentsAtom } from '../../state/consent/consents.ts';
import { countryAtom } from '../../state/base/country.ts';
import { isDeviceAskedAtom } from '../../state/consent/deviceId.ts';
import { agreeDeviceAtom } from '../../state/consent/deviceCheck.ts';
import { isOpenAtom } from '../../state/first/config.ts';
import { profileAtom } from '../../state/first/seams.ts';
import { lookAtPushAtom, pushAtom, switchPushOffAtom, switchPushOnAtom } from '../../state/consent/push.ts';
import { isLoggedInAtom } from '../../state/base/session.ts';
import { AppBar } from '../../ui/page/AppBar.tsx';
import { Button } from '../../ui/forms/Button.tsx';
import { Card } from '../../ui/page/Card.tsx';
import { CheckBox } from '../../ui/forms/CheckBox.tsx';
import { href } from '../../ui/href.ts';
import { CheckIcon } from '../../ui/pictures/icons.ts';
import { ListRow } from '../../ui/page/ListRow.tsx';
import { Aside, Page } from '../../ui/page/Page.tsx';
import css from './Privacy.module.css';

export const enter = atom(null, async (_get, set) => {
  await Promise.all([set(syncConsentsAtom), set(lookAtPushAtom)]);
});

const words = (purpose: Purpose): { label: string; detail: string } =>
  ({
    news: { label: t.news, detail: t.newsDetail },
    offers: { label: t.offers, detail: t.offersDetail },
    usage: { label: t.usage, detail: t.usageDetail },
    device: { label: t.device, detail: t.deviceDetail },
    league: LEAGUE ? { label: t.league, detail: t.leagueDetail } : { label: '', detail: '' },
  })[purpose];

/** Inside a payment app nothing is sent but the order, and no device is recognised: there is nothing to ask. */
const askedAtom = atom((get) =>
  PURPOSES.filter((purpose) => {
    if (purpose === 'device') return get(isDeviceAskedAtom);
    if (purpose === 'league' && !get(isOpenAtom)('worldPizzaLeague')) return false;
    return purpose === 'usage' || get(profileAtom).fullMode;
  }),
);

/** The browser has said no for the customer: a yes here would change nothing. */
const isShutAtom = atom((get) => (purpose: Purpose) => purpose === 'usage' && get(isRefusedByBrowserAtom));

/** Says it, and does what goes with it: the browser's notices, the fingerprint. */
const chooseAtom = atom(null, async (get, set, purpose: Purpose, given: boolean): Promise<unknown> => {
  if (given && get(isShutAtom)(purpose)) return;
  if (purpose === 'device') return await set(agreeDeviceAtom, given);
  if (purpose === 'news' && get(pushAtom) !== 'none') {
    if (given) return await set(switchPushOnAtom);
    return await set(switchPushOffAtom);
  }
  await set(sayAtom, purpose, given);
});

function Choice({ purpose }: { purpose: Purpose }) {
  const { locale, timeZone } = useAtomValue(countryAtom);
  const said = useAtomValue(consentToAtom)(purpose);
  const isShut = useAtomValue(isShutAtom)(purpose);
  const choose = useSetAtom(chooseAtom);
  const { label, detail } = words(purpose);
  const day = () => dateFormat(locale, { dateStyle: 'medium', timeZone }).format(said?.at ?? 0);
  return (
    <div className={css.choice}>
      <CheckBox
        label={label}
        detail={
          <>
            {detail}
            <br />
            <b>
              {isShut
                ? t.usageRefused
                : said === undefined
                  ? t.never
                  : (said.given ? t.givenOn : t.refusedOn)({ day: day() })}
            </b>
          </>
        }
        checked={said?.given === true && !isShut}
        disabled={isShut}
        onChange={(given) => void choose(purpose, given)}
      />
    </div>
  );
}

/** What may be done with the customer's data beyond the order itself: one by one, off until switched on. */
export default function ConsentsScreen() {
  const isLoggedIn = useAtomValue(isLoggedInAtom);
  const asked = useAtomValue(askedAtom);
  const choose = useSetAtom(chooseAtom);
  const all = async (given: boolean) => {
    for (const purpose of asked) await choose(purpose, given);
  };
  return (
    <>
      <AppBar title={alive.choices} back={{ label: t.toProfile, href: href('/postorder-ui/profile') }} />
      <Page>
        <Aside>{t.consentsIntro}</Aside>
        <Card title={t.choicesTitle}>
          {asked.map((purpose) => (
            <Choice key={purpose} purpose={purpose} />
          ))}
          <div className={css.both}>
            <Button kind="secondary" onClick={() => void all(false)}>
              {t.allNo}
            </Button>
            <Button kind="secondary" onClick={() => void all(true)}>
              {t.allYes}
            </Button>
          </div>
        </Card>
        <Card title={t.neededTitle} flush>
          <ListRow icon={<CheckIcon size={20} />} title={t.needed} detail={t.neededDetail} />
          <ListRow title={experiments.title} href={href('/experiments')} />
        </Card>
        <Aside>{isLoggedIn ? t.consentsAccount : t.consentsDevice}</Aside>
      </Page>
    </>
  );
}
