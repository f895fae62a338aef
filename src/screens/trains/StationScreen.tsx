import * as t from '#text/trains.ts';
import { atom, useAtom, useAtomValue, useSetAtom } from 'jotai';
import { useState } from 'react';
import type { Stop } from '../../contract/trainOrder.ts';
import { cartCountAtom } from '../../state/first/cart.ts';
import { itemsByIdAtom, isMenuDefaultAtom } from '../../state/first/menu.ts';
import { fitsAtom } from '../../state/first/filters.ts';
import { navigateAtom } from '../../state/first/seams.ts';
import { isOfflineAtom } from '../../state/base/network.ts';
import { sentenceOf } from '../../state/base/popup.ts';
import { tripAtom } from '../../state/trains/station.ts';
import { leaveForDoorAtom, renewTripOrderAtom } from '../../state/trains/trainOrders.ts';
import { seatDraftAtom } from '../../state/trains/pnr.ts';
import {
  stationTasks,
  journeyAtom,
  openStationAtom,
  renewJourneyAtom,
  saveStationAtom,
  seatOf,
  seatProblemsAtom,
  stationState,
  stopAtom,
} from '../../state/trains/trains.ts';
import { AppBar } from '../../ui/page/AppBar.tsx';
import { BottomBar } from '../../ui/page/BottomBar.tsx';
import { Button } from '../../ui/forms/Button.tsx';
import { Card } from '../../ui/page/Card.tsx';
import { EmptyPicture } from '../../ui/pictures/EmptyPicture.tsx';
import { EmptyState } from '../../ui/page/EmptyState.tsx';
import { href } from '../../ui/href.ts';
import { SeatIcon } from '../../ui/pictures/icons.ts';
import { ListRow } from '../../ui/page/ListRow.tsx';
import { Actions, Column, Page } from '../../ui/page/Page.tsx';
import { Skeleton } from '../../ui/page/Skeleton.tsx';
import type { ScreenInput } from '../base/entered.ts';
import { ItemCard } from '../first/ItemCard.tsx';
import { NotLoaded } from '../base/NotLoaded.tsx';
import { CutOff } from './JourneyLine.tsx';
import { SeatFields, showProblem } from './SeatFields.tsx';
import { StationFacts } from './StationFacts.tsx';
import { TermsButton } from './TermsSheet.tsx';
import { spanText, useTrainTimes } from './times.ts';
import { seatText } from './words.ts';
import css from './Trains.module.css';

const wantedAtom = atom('');
export const enter = atom(null, async (get, set, { query }: ScreenInput) => {
  const stationId = query.get('station') ?? get(tripAtom)?.stationId ?? '';
  set(wantedAtom, stationId);
  await Promise.all([set(openStationAtom, stationId), set(renewTripOrderAtom)]);
});

/** The rules of the station, from its store's own call. */
function Rules({ stop }: { stop: Stop }) {
  const { data } = useAtomValue(stationState.atom);
  const renew = useSetAtom(renewJourneyAtom);
  const rules = data?.station.stationId === stop.stationId ? data.station : null;
  return (
    <Card title={stop.name}>
      <div className={css.stack}>
        <StationFacts stop={stop} onOver={() => renew()} />
        {rules && (
          <>
            <p className={css.note}>{t.cancelRule({ time: spanText(rules.cancelMinutes) })}</p>
            <p className={css.note}>{rules.hint}</p>
          </>
        )}
      </div>
    </Card>
  );
}

const SEAT_FORM = 'seat';
/** Coach, berth and who eats, before the food is chosen. */
function Seat({ stop, onSaved }: { stop: Stop; onSaved?: () => void }) {
  const [draft, setDraft] = useAtom(seatDraftAtom);
  const problems = useAtomValue(seatProblemsAtom)(draft);
  const [isTried, setTried] = useState(false);
  const save = useSetAtom(saveStationAtom);
  const isOffline = useAtomValue(isOfflineAtom);
  return (
    <form
      id={SEAT_FORM}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (isOffline) return;
        setTried(true);
        showProblem(problems);
        void save(stop.stationId).then((isSaved) => isSaved && onSaved?.());
      }}
    >
      <Card title={t.seatTitle}>
        <div className={css.stack}>
          <SeatFields
            draft={draft}
            problems={isTried ? problems : {}}
            onChange={(change) => setDraft((before) => ({ ...before, ...change }))}
          />
          {isOffline && <p role="status">{t.pnrOffline}</p>}
        </div>
      </Card>
    </form>
  );
}

/** At the end of the screen, outside of its columns. */
function SeatBar() {
  const isSaving = useAtomValue(stationTasks.isBusyAtom);
  const isOffline = useAtomValue(isOfflineAtom);
  return (
    <BottomBar
      label={t.seatGo}
      action={
        <Button type="submit" form={SEAT_FORM} full busy={isSaving} disabled={isOffline}>
          {t.seatGo}
        </Button>
      }
    />
  );
}

/** More of what travels well comes with a tap. */
const FIRST_SHOWN = 8;

/** What is still good after an hour in its box, and the way to everything else. */
function Food({ wellIds }: { wellIds: readonly string[] }) {
  const items = useAtomValue(itemsByIdAtom);
  const fits = useAtomValue(fitsAtom);
  const isOthers = useAtomValue(isMenuDefaultAtom);
  const [isAll, setAll] = useState(false);
  const well = wellIds.flatMap((id) => items.get(id) ?? []).filter((item) => fits(item) && !item.soldOut);
  const shown = isAll ? well : well.slice(0, FIRST_SHOWN);
  return (
    <section className={css.shelf} aria-label={t.travelsWell} aria-busy={isOthers}>
      <h2>{t.travelsWell}</h2>
      <p className={css.note}>{t.travelsWellDetail}</p>
      {isOthers ? (
        <Skeleton height="20rem" />
      ) : (
        <ul className={css.dishes}>
          {shown.map((item) => (
            <ItemCard key={item.id} item={item} />
          ))}
        </ul>
      )}
      <Actions>
        {shown.length < well.length && (
          <Button full kind="quiet" onClick={() => setAll(true)}>
            {t.travelsAll({ count: well.length })}
          </Button>
        )}
        <Button full kind="secondary" href={href('/menu')}>
          {t.wholeMenu}
        </Button>
      </Actions>
    </section>
  );
}

function FoodBar() {
  const count = useAtomValue(cartCountAtom);
  if (count === 0) return null;
  return (
    <BottomBar
      label={t.next}
      action={
        <Button full href={href('/cart')}>
          {t.seeCart({ count })}
        </Button>
      }
    />
  );
}

/** The station is chosen: until when it can be ordered to, the seat, and the food. */
function Chosen({ stop }: { stop: Stop | null }) {
  const trip = useAtomValue(tripAtom);
  const draft = useAtomValue(seatDraftAtom);
  const { data } = useAtomValue(stationState.atom);
  const leave = useSetAtom(leaveForDoorAtom);
  const renew = useSetAtom(renewTripOrderAtom);
  const { go } = useAtomValue(navigateAtom);
  const [isSeatOpen, setSeatOpen] = useState(false);
  const times = useTrainTimes();
  if (trip === null) return null;
  const isThis = data?.station.stationId === trip.stationId;
  if (isSeatOpen && stop)
    return (
      <>
        <Page>
          <Seat stop={stop} onSaved={() => setSeatOpen(false)} />
        </Page>
        <SeatBar />
      </>
    );
  return (
    <>
      <Page columns="first">
        <Column>
          <Card flush>
            <ListRow
              icon={<SeatIcon size={22} />}
              title={seatText(seatOf(draft))}
              detail={t.cartArrives({ train: trip.text, time: times.moment(trip.arrivesAt) })}
              end={<span className={css.change}>{t.seatChange}</span>}
              onClick={() => setSeatOpen(true)}
            />
            {trip.orderUntil <= times.now() && (
              <p className={css.inCard} role="alert">
                {t.cartOver}
              </p>
            )}
            <p className={css.inCard}>
              <CutOff until={trip.orderUntil} times={times} onOver={() => void renew()} />
            </p>
          </Card>
          {isThis && <Food wellIds={data.travelsWell} />}
        </Column>
        <Column>
          {stop && <Rules stop={stop} />}
          <Actions>
            <Button full kind="secondary" href={href('/irctc')}>
              {t.otherStation}
            </Button>
            <Button
              full
              kind="quiet"
              onClick={() => {
                void leave();
                go('/menu');
              }}
            >
              {t.leave}
            </Button>
            <TermsButton />
          </Actions>
        </Column>
      </Page>
      {isThis && <FoodBar />}
    </>
  );
}

function Unchosen({ stop }: { stop: Stop | null }) {
  const journey = useAtomValue(journeyAtom);
  const station = useAtomValue(stationState.atom);
  const open = useSetAtom(openStationAtom);
  const wanted = useAtomValue(wantedAtom);
  const bones = (
    <Page busy>
      <Skeleton height="14rem" />
      <Skeleton height="14rem" />
    </Page>
  );
  // The station's rules stand above the form, and would push it from under a finger.
  if (stop?.state === 'OPEN' && station.status === 'loading' && station.data?.station.stationId !== stop.stationId)
    return bones;
  if (stop?.state === 'OPEN')
    return (
      <>
        <Page columns="even">
          <Column>
            <Rules stop={stop} />
          </Column>
          <Column>
            <Seat stop={stop} />
            <TermsButton />
          </Column>
        </Page>
        <SeatBar />
      </>
    );
  if (stop !== null)
    return (
      <EmptyState
        picture={<EmptyPicture />}
        title={stop.reason ?? t.orderOver}
        action={<Button href={href('/irctc')}>{t.otherStation}</Button>}
      />
    );
  const failure = journey.failure ?? station.failure;
  if (failure !== null && failure.kind !== 'refused')
    return <NotLoaded title={sentenceOf(failure)} failure={failure} onRetry={() => void open(wanted)} />;
  if (journey.status === 'loading') return bones;
  return (
    <EmptyState
      picture={<EmptyPicture />}
      title={journey.data === null ? t.journeyMissing : t.stationGone}
      action={<Button href={href('/irctc')}>{journey.data === null ? t.pnrFind : t.otherStation}</Button>}
    />
  );
}

/** One station of the journey: its rules, the seat, and the food of its store (TRN-03). */
export default function StationScreen() {
  const wanted = useAtomValue(wantedAtom);
  const trip = useAtomValue(tripAtom);
  const stop = useAtomValue(stopAtom)(wanted);
  const isChosen = trip !== null && trip.stationId === wanted;
  return (
    <>
      <AppBar
        title={
          stop
            ? t.stationTitle({ station: stop.name })
            : isChosen
              ? t.stationTitle({ station: trip.text })
              : t.stationUnknown
        }
        back={{ label: t.backToJourney, href: href('/irctc') }}
      />
      {isChosen ? <Chosen stop={stop} /> : <Unchosen stop={stop} />}
    </>
  );
}
