import * as t from '#text/trains.ts';
import { atom, useAtomValue } from 'jotai';
import { navigateAtom } from '../../state/first/seams.ts';
import { tripAtom } from '../../state/trains/station.ts';
import { trainOrdersState } from '../../state/trains/trainOrders.ts';
import { journeyAtom, reopenJourneyAtom } from '../../state/trains/trains.ts';
import { AppBar } from '../../ui/page/AppBar.tsx';
import { Card } from '../../ui/page/Card.tsx';
import { href } from '../../ui/href.ts';
import { ReceiptIcon, TrainIcon } from '../../ui/pictures/icons.ts';
import { ListRow } from '../../ui/page/ListRow.tsx';
import { Column, Page } from '../../ui/page/Page.tsx';
import { PnrForm } from './PnrForm.tsx';
import { TermsButton } from './TermsSheet.tsx';
import { TrainPicture } from './TrainPicture.tsx';
import css from './Trains.module.css';

export const enter = atom(null, async (_get, set) => {
  await Promise.all([set(reopenJourneyAtom), set(trainOrdersState.load)]);
});

/** Known already: the journey of the typed number, the station of the cart, and earlier orders. */
function Known() {
  const { data: journey } = useAtomValue(journeyAtom);
  const trip = useAtomValue(tripAtom);
  const count = useAtomValue(trainOrdersState.atom).data?.length ?? 0;
  if (!journey && !trip && count === 0) return null;
  return (
    <Card flush>
      {trip && (
        <ListRow
          icon={<TrainIcon size={22} />}
          title={t.stationTitle({ station: trip.text })}
          detail={t.saved}
          href={href(`/irctcStation?station=${trip.stationId}`)}
        />
      )}
      {journey && (
        <ListRow
          icon={<TrainIcon size={22} />}
          title={t.yourJourney}
          detail={t.trainOf(journey.train)}
          href={href('/irctc')}
        />
      )}
      {count > 0 && <ListRow icon={<ReceiptIcon size={22} />} title={t.myOrders} href={href('/irctcOrder')} />}
    </Card>
  );
}

/** Where food on trains begins (NAV-62). */
export default function TrainLandingScreen() {
  const { go } = useAtomValue(navigateAtom);
  const steps = [
    [t.howPnr, t.howPnrDetail],
    [t.howStation, t.howStationDetail],
    [t.howDoor, t.howDoorDetail],
  ] as const;
  return (
    <>
      <AppBar title={t.title} back={{ label: t.home, href: href('/') }} />
      <Page columns="even">
        <Column>
          <div className={css.hero}>
            <TrainPicture />
            <p>{t.lead}</p>
          </div>
          <Card>
            <PnrForm onFound={() => go('/irctc')} />
          </Card>
        </Column>
        <Column>
          <Known />
          <Card title={t.how}>
            <ol className={css.how}>
              {steps.map(([title, detail]) => (
                <li key={title}>
                  <span>
                    <b>{title}</b>
                    <small>{detail}</small>
                  </span>
                </li>
              ))}
            </ol>
          </Card>
          <TermsButton />
        </Column>
      </Page>
    </>
  );
}
