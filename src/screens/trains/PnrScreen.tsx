import * as t from '#text/trains.ts';
import { atom, useAtomValue } from 'jotai';
import { useState } from 'react';
import { journeyAtom, reopenJourneyAtom } from '../../state/trains/trains.ts';
import { AppBar } from '../../ui/page/AppBar.tsx';
import { Button } from '../../ui/forms/Button.tsx';
import { Card } from '../../ui/page/Card.tsx';
import { href } from '../../ui/href.ts';
import { TrainIcon } from '../../ui/pictures/icons.ts';
import { ListRow } from '../../ui/page/ListRow.tsx';
import { Page } from '../../ui/page/Page.tsx';
import { Skeleton } from '../../ui/page/Skeleton.tsx';
import { JourneyCard } from './JourneyCard.tsx';
import { PnrForm } from './PnrForm.tsx';
import { TermsButton } from './TermsSheet.tsx';

export const enter = atom(null, (_get, set) => set(reopenJourneyAtom));

/** The PNR, and once it is known the journey with its stations. */
export default function PnrScreen() {
  const { data, status } = useAtomValue(journeyAtom);
  const [isAnother, setAnother] = useState(false);
  return (
    <>
      <AppBar title={t.yourJourney} back={{ label: t.backToTrains, href: href('/deliverontrain') }} />
      <Page>
        {data !== null && !isAnother ? (
          <Card flush>
            <ListRow
              icon={<TrainIcon size={22} />}
              title={t.pnrEnding({ digits: data.pnrEnd })}
              end={
                <Button kind="quiet" small onClick={() => setAnother(true)}>
                  {t.pnrOther}
                </Button>
              }
            />
          </Card>
        ) : (
          <Card>
            <PnrForm onFound={() => setAnother(false)} />
          </Card>
        )}
        {data !== null && !isAnother && <JourneyCard journey={data} />}
        {data === null && status === 'loading' && (
          <div aria-busy="true">
            <Skeleton height="24rem" />
          </div>
        )}
        <TermsButton />
      </Page>
    </>
  );
}
