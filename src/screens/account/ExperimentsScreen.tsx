import * as alive from '#text/alive.ts';
import * as t from '#text/experiments.ts';
import { atom, useAtomValue } from 'jotai';
import type { CampaignDecision } from '../../domain/experiments/split.ts';
import { isUsageAgreedAtom } from '../../state/consent/consents.ts';
import {
  activateAtom,
  areSettingsKeptAtom,
  bucketAtom,
  decisionsAtom,
  forceAtom,
  isDecidedAtom,
  isForcingAtom,
} from '../../state/telemetry/experiments.ts';
import { AppBar } from '../../ui/page/AppBar.tsx';
import { Card } from '../../ui/page/Card.tsx';
import { href } from '../../ui/href.ts';
import { ListRow } from '../../ui/page/ListRow.tsx';
import { Aside, Page } from '../../ui/page/Page.tsx';

export const enter = atom(null, async (_get, set) => {
  set(forceAtom);
  await set(activateAtom);
});

const valueOf = ({ value }: CampaignDecision): string =>
  value === 'E' ? t.on : value === 'D' ? t.off : (value ?? t.usual);

/** Which variants this visitor has, and why; where somebody develops, each can be asked for. */
export default function ExperimentsScreen() {
  const decisions = useAtomValue(decisionsAtom);
  const isDecided = useAtomValue(isDecidedAtom);
  const isTold = useAtomValue(isUsageAgreedAtom);
  const isForcing = useAtomValue(isForcingAtom);
  const bucket = useAtomValue(bucketAtom);
  const kept = useAtomValue(areSettingsKeptAtom);
  return (
    <>
      <AppBar title={t.title} back={{ label: alive.choices, href: href('/consents') }} />
      <Page>
        <Aside>{t.intro}</Aside>
        {!isDecided && (
          <Card>
            <p role="status">{t.loading}</p>
          </Card>
        )}
        {isDecided && decisions.length === 0 && (
          <Card>
            <p role="status">{t.nothing}</p>
          </Card>
        )}
        {isDecided && decisions.length > 0 && (
          <Card title={t.listTitle} flush>
            {decisions.map((one) => (
              <ListRow
                key={one.key}
                title={`${one.key}: ${valueOf(one)}`}
                detail={t.reason({ reason: one.isForced ? 'FORCED' : one.reason })}
              />
            ))}
          </Card>
        )}
        {isDecided && (
          <Card flush>
            <ListRow title={t.settings({ kept: String(kept) })} detail={t.lot({ bucket })} />
            <ListRow title={isTold ? t.told : t.notTold} />
            <ListRow title={t.choices} detail={t.choicesDetail} href={href('/consents')} />
          </Card>
        )}
        {isForcing && isDecided && decisions.length > 0 && (
          <Card title={t.forceTitle} flush>
            {decisions.flatMap(({ key, variations }) =>
              variations.map((variation) => (
                <ListRow
                  key={`${key}:${variation}`}
                  title={t.forceOne({ key, variation })}
                  href={href(`/experiments?exp=${encodeURIComponent(`${key}:${variation}`)}`)}
                />
              )),
            )}
            <ListRow title={t.forceEnd} href={href('/experiments?exp=')} />
          </Card>
        )}
      </Page>
    </>
  );
}
