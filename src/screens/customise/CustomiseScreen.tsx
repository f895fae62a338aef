import * as t from '#text/customise.ts';
import { useAtomValue, useSetAtom } from 'jotai';
import { useState } from 'react';
import type { Amount } from '../../contract/names.ts';
import type { Builder, MenuItem } from '../../contract/menu.ts';
import { crustsFor } from '../../domain/build.ts';
import { multiply } from '../../domain/money.ts';
import {
  askJainAtom,
  buildOf,
  chooseCheeseAtom,
  chooseCrustAtom,
  chooseHalfAtom,
  chooseSauceAtom,
  chooseSizeAtom,
  draftAtom,
  effectAtom,
  either,
  finishDraftAtom,
  isJainAskedAtom,
  openBuilderAtom,
  openMissedAtom,
  partsAtom,
  resetDraftAtom,
  setQuantityOfDraftAtom,
  workedAtom,
  writeNoteAtom,
  type Draft,
  type Worked,
} from '../../state/builder.ts';
import { builderStateAtom, loadBuilderAtom } from '../../state/priceList.ts';
import { dealDraftAtom, keepPieceAtom } from '../../state/deals.ts';
import { fitsAtom } from '../../state/first/filters.ts';
import { avoidedAtom } from '../../state/household.ts';
import { allergensTextAtom, menuAtom, liveMenuAtom } from '../../state/first/menu.ts';
import { sentenceOf } from '../../state/popup.ts';
import { toastMessageAtom } from '../../state/first/toast.ts';
import { hostAtom, navigateAtom } from '../../state/first/seams.ts';
import { AmountSaid } from '../../ui/AmountSaid.tsx';
import { AppBar } from '../../ui/AppBar.tsx';
import { BottomBar } from '../../ui/BottomBar.tsx';
import { Button } from '../../ui/Button.tsx';
import { CheckBox } from '../../ui/CheckBox.tsx';
import { EmptyPicture } from '../../ui/EmptyPicture.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { FoodMark } from '../../ui/FoodMark.tsx';
import { href } from '../../ui/href.ts';
import { ItemPicture } from '../../ui/ItemPicture.tsx';
import { pizzaOf } from '../../ui/food/recipe.ts';
import { PizzaPicture } from '../../ui/PizzaPicture.tsx';
import { Price } from '../../ui/Price.tsx';
import { QuantityStepper } from '../../ui/QuantityStepper.tsx';
import { RadioCards } from '../../ui/RadioCards.tsx';
import { Sheet } from '../../ui/Sheet.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { Tag } from '../../ui/Tag.tsx';
import { While } from '../../ui/While.tsx';
import { Heart } from '../first/Heart.tsx';
import { FoldHead } from './FoldHead.tsx';
import { useFacts } from './facts.ts';
import { backToMenu, leave } from './leave.ts';
import { NoteFold } from './NoteFold.tsx';
import { Segment } from './Segment.tsx';
import { Toppings } from './Toppings.tsx';
import { Share } from './Share.tsx';
import css from './CustomiseScreen.module.css';

export const enter = openBuilderAtom;

const AMOUNTS = ['none', 'light', 'normal', 'extra'] as const;
const amountOption = <A extends Amount>(amount: A) => ({ value: amount, text: t.amount({ amount }) });

/** The pizza as it is built now: as a picture, and in words. */
function Picture({ draft, worked, builder }: { draft: Draft; worked: Worked; builder: Builder }) {
  const { item, second, finished } = worked;
  const crust = finished?.crust;
  const chosen = { size: draft.size, crust: crust?.id ?? draft.crust, build: buildOf(draft) };
  const sauceId = draft.sauce?.id ?? item.sauce ?? 'tomato';
  return (
    <div className={css.picture}>
      <PizzaPicture
        pizza={{
          ...pizzaOf(item, second === item ? undefined : second, chosen, builder),
          sizeName: builder.sizes.find((one) => one.id === draft.size)?.name,
          crustName: crust?.name,
          sauceName: builder.sauces.find((one) => one.id === sauceId)?.name,
        }}
      />
    </div>
  );
}

function Basics({ draft, worked, builder }: { draft: Draft; worked: Worked; builder: Builder }) {
  const [chooseSize, chooseCrust] = [useSetAtom(chooseSizeAtom), useSetAtom(chooseCrustAtom)];
  const parts = useAtomValue(partsAtom)!;
  const { item } = worked;
  const sizes = builder.sizes.filter((size) => item.prices[size.id] !== undefined);
  const crusts = crustsFor(parts, item, draft.size);
  return (
    <>
      {draft.piece === null && sizes.length > 1 && (
        <RadioCards
          legend={t.size}
          tiles
          value={draft.size}
          onChange={chooseSize}
          options={sizes.map((size) => ({
            value: size.id,
            title: size.name,
            detail: (
              <>
                {t.diameter({ inches: size.diameterInches })}
                <br />
                {t.serves({ people: size.serves })}
              </>
            ),
            end: <Price amount={item.prices[size.id]!} />,
          }))}
        />
      )}
      {crusts.length > 1 && (
        <RadioCards
          legend={t.crust}
          value={worked.finished?.crust?.id ?? null}
          onChange={chooseCrust}
          options={crusts.map((crust) => ({
            value: crust.id,
            title: crust.name,
            end:
              (crust.surcharge[draft.size] ?? 0) > 0 ? (
                <>
                  +<Price amount={crust.surcharge[draft.size]!} />
                </>
              ) : (
                t.included
              ),
            ...(crust.foodType === 'NON_VEG' ? { icon: <FoodMark type="NON_VEG" /> } : {}),
          }))}
        />
      )}
    </>
  );
}

function Sauce({ draft, worked, builder }: { draft: Draft; worked: Worked; builder: Builder }) {
  const [chooseSauce, chooseCheese] = [useSetAtom(chooseSauceAtom), useSetAtom(chooseCheeseAtom)];
  const own = builder.sauces.find((sauce) => sauce.id === worked.item.sauce);
  const chosen = builder.sauces.find((sauce) => sauce.id === draft.sauce?.id);
  const isSplit = worked.item.sauce !== worked.second.sauce;
  const level = draft.sauce?.level ?? 'normal';
  return (
    <details className={css.fold}>
      <FoldHead title={t.sauceTitle}>
        {t.sauceNow({ sauce: chosen?.name ?? (isSplit ? t.sauceEach : own?.name) ?? '', level })} ·{' '}
        {t.cheeseNow({ amount: draft.cheese })}
      </FoldHead>
      <RadioCards
        legend={t.sauce}
        quietLegend
        tiles
        value={draft.sauce && draft.sauce.id !== (isSplit ? '' : own?.id) ? draft.sauce.id : 'own'}
        // Whoever picks one by name wants some of it.
        onChange={(id) => chooseSauce(id === 'own' ? null : { id, level: level === 'none' ? 'normal' : level })}
        options={[
          { value: 'own', title: isSplit ? t.sauceEach : (own?.name ?? t.sauceRecipe) },
          ...builder.sauces
            .filter((sauce) => isSplit || sauce.id !== own?.id)
            .map((sauce) => ({ value: sauce.id, title: sauce.name })),
        ]}
      />
      {(draft.sauce || own) && (
        <Segment
          legend={t.sauceLevel}
          value={level}
          onChange={(value) =>
            chooseSauce(value === 'normal' && !chosen ? null : { id: draft.sauce?.id ?? own!.id, level: value })
          }
          options={AMOUNTS.map(amountOption)}
        />
      )}
      <Segment
        legend={t.cheeseLevel}
        value={draft.cheese}
        onChange={chooseCheese}
        options={AMOUNTS.map(amountOption)}
      />
    </details>
  );
}

/** A second recipe on the right half. */
function Halves({ draft, worked, builder }: { draft: Draft; worked: Worked; builder: Builder }) {
  const [isChoosing, setChoosing] = useState(false);
  const choose = useSetAtom(chooseHalfAtom);
  const { items } = useAtomValue(menuAtom);
  const fits = useAtomValue(fitsAtom);
  const host = useAtomValue(hostAtom);
  const factsOf = useFacts();
  const sizes = builder.halfAndHalfSizes;
  const names = builder.sizes.filter((size) => sizes.includes(size.id)).map((size) => size.name.toLowerCase());
  const canBe = sizes.some((size) => worked.item.prices[size] !== undefined);
  if (!canBe || worked.item.kind !== 'PIZZA' || draft.piece !== null) return null;
  const others = items.filter(
    (item) =>
      item.kind === 'PIZZA' &&
      item.customisable &&
      !item.soldOut &&
      item.id !== worked.item.id &&
      fits(item) &&
      sizes.some((size) => item.prices[size] !== undefined),
  );
  const priceSize = sizes.includes(draft.size) ? draft.size : sizes[0]!;
  return (
    <div className={css.halves}>
      <div>
        <b>{draft.secondHalf ? t.halvesTitle : t.halvesAsk}</b>
        <p>
          {draft.secondHalf
            ? t.halvesNow({ left: worked.item.name, right: worked.second.name })
            : t.halvesHow({ sizes: either(names) })}
        </p>
      </div>
      <Button kind="secondary" small onClick={() => setChoosing(true)}>
        {draft.secondHalf ? t.change : t.choose}
      </Button>
      {draft.secondHalf && (
        <Button kind="quiet" small onClick={() => choose(null)}>
          {t.oneRecipe}
        </Button>
      )}
      {isChoosing && (
        <Sheet title={t.halvesRight} onClose={() => setChoosing(false)} closeOnOutside={host.fullMode}>
          <ul className={css.picks}>
            {others.map((item) => (
              <li key={item.id}>
                <button
                  type="button"
                  onClick={() => {
                    choose(item.id);
                    setChoosing(false);
                  }}
                  aria-pressed={item.id === draft.secondHalf}
                >
                  <span>
                    <ItemPicture item={item} />
                  </span>
                  <span>
                    <FoodMark type={item.foodType} /> <b>{item.name}</b>
                    <small>{item.description}</small>
                    <small>{factsOf(item, priceSize)}</small>
                  </span>
                  {item.prices[priceSize] !== undefined && <Price amount={item.prices[priceSize]} />}
                </button>
              </li>
            ))}
          </ul>
        </Sheet>
      )}
    </div>
  );
}

/** Diet, calories and allergens of what is being built. */
function Facts({ worked }: { worked: Worked }) {
  const { finished, item } = worked;
  const allergens = finished?.allergens ?? item.allergens;
  const avoided = useAtomValue(avoidedAtom)(allergens);
  const allergensText = useAtomValue(allergensTextAtom);
  return (
    <div className={css.facts}>
      <FoodMark type={finished?.foodType ?? item.foodType} />
      {finished?.jain && <Tag tone="lime">{t.jain}</Tag>}
      {finished && <span>{t.kcal({ kcal: finished.kcal })}</span>}
      <span>{allergens.length > 0 ? t.containsAllergens({ allergens: allergensText(allergens) }) : t.noAllergen}</span>
      {avoided.length > 0 && <Tag tone="red">{t.avoided({ allergens: allergensText(avoided) })}</Tag>}
    </div>
  );
}

function Jain({ item }: { item: MenuItem }) {
  const isAsked = useAtomValue(isJainAskedAtom);
  const ask = useSetAtom(askJainAtom);
  if (!item.jainOnRequest || item.jain) return null;
  return <CheckBox label={t.jainAsk} detail={t.jainHow} checked={isAsked} onChange={ask} />;
}

function Bar({ draft, worked }: { draft: Draft; worked: Worked }) {
  const effect = useAtomValue(effectAtom);
  const { go } = useAtomValue(navigateAtom);
  const deal = useAtomValue(dealDraftAtom);
  const [finish, keepPiece, toast, setQuantity] = [
    useSetAtom(finishDraftAtom),
    useSetAtom(keepPieceAtom),
    useSetAtom(toastMessageAtom),
    useSetAtom(setQuantityOfDraftAtom),
  ];
  const { name } = worked.item;
  const onPress = () => {
    if (draft.piece !== null) {
      if (keepPiece()) leave(go, `/combo/${deal?.dealId}`);
      return;
    }
    if (!finish()) return;
    if (draft.lineId) return leave(go, '/cart');
    leave(go, '/menu', () =>
      toast(t.added({ name, count: draft.quantity }), { label: t.viewCart, act: () => go('/cart') }),
    );
  };
  const said = worked.problem ?? effect?.text ?? worked.finished?.choices.slice(-1)[0] ?? t.asRecipe;
  return (
    <BottomBar
      label={t.choice}
      action={
        <Button onClick={onPress}>
          {draft.piece !== null ? t.keep : draft.lineId ? t.update : t.add}{' '}
          {worked.price !== null && draft.piece === null && <Price amount={multiply(worked.price, draft.quantity)} />}
        </Button>
      }
    >
      <p className={css.effect} data-refused={Boolean(worked.problem) || effect?.isRefused || undefined} role="status">
        <span>{said}</span>
        {!worked.problem && effect?.difference ? (
          <b>
            {effect.difference > 0 ? '+' : ''}
            <Price amount={effect.difference} />
          </b>
        ) : null}
      </p>
      {draft.piece === null && (
        <AmountSaid
          amount={worked.price === null ? undefined : multiply(worked.price, draft.quantity)}
          text={t.priceSaid}
        />
      )}
      {draft.piece === null && <QuantityStepper label={name} value={draft.quantity} min={1} onChange={setQuantity} />}
    </BottomBar>
  );
}

/** The name and the description of what is built; of two recipes the description would tell only one. */
function headOf(item: MenuItem, second: { readonly name: string } | null) {
  return second ? { title: `${item.name} + ${second.name}` } : { title: item.name, subtitle: item.description };
}

/** Builds a pizza, or changes one that is in the cart. The price comes from the same rules as the server's. */
export default function CustomiseScreen({ params }: { params: Readonly<Record<string, string>> }) {
  const draft = useAtomValue(draftAtom);
  const worked = useAtomValue(workedAtom);
  const parts = useAtomValue(partsAtom);
  const state = useAtomValue(builderStateAtom);
  const menu = useAtomValue(menuAtom);
  const menuState = useAtomValue(liveMenuAtom);
  const load = useSetAtom(loadBuilderAtom);
  const reset = useSetAtom(resetDraftAtom);
  const writeNote = useSetAtom(writeNoteAtom);
  const { go } = useAtomValue(navigateAtom);
  const openMissed = useSetAtom(openMissedAtom);
  const item = menu.items.find((one) => one.id === params['productId']);
  const back = backToMenu(go);
  if (!item || !item.customisable || item.kind === 'DEAL') {
    const isComing = menu.items.length === 0 && menuState.status !== 'failed';
    return (
      <div className={css.page}>
        <AppBar title={t.title} back={back} />
        {isComing ? (
          <div className={css.bones} aria-busy>
            <Skeleton height="15rem" />
            <Skeleton height="6rem" />
          </div>
        ) : (
          <EmptyState
            picture={<EmptyPicture />}
            title={t.fixedTitle}
            action={<Button href={href('/menu')}>{t.seeMenu}</Button>}
          >
            {t.fixedText}
          </EmptyState>
        )}
      </div>
    );
  }
  const isReady = draft?.productId === item.id && worked && parts;
  const hasChanges =
    draft && (draft.wishes.length > 0 || draft.sauce || draft.cheese !== 'normal' || draft.crust || draft.secondHalf);
  return (
    <div className={css.page}>
      <AppBar {...headOf(item, isReady && draft.secondHalf ? worked.second : null)} back={back}>
        <Share item={item} />
        <Heart item={item} />
      </AppBar>
      {isReady ? (
        <div className={css.body}>
          <div className={css.stage}>
            <Picture draft={draft} worked={worked} builder={parts.builder} />
            <Facts worked={worked} />
            {hasChanges && (
              <Button kind="quiet" small onClick={() => reset()}>
                {t.backToRecipe}
              </Button>
            )}
          </div>
          <div className={css.choices}>
            <Basics draft={draft} worked={worked} builder={parts.builder} />
            <Halves draft={draft} worked={worked} builder={parts.builder} />
            <Jain item={item} />
            <Toppings />
            <Sauce draft={draft} worked={worked} builder={parts.builder} />
            <NoteFold note={draft.note} ready={parts.builder.cookingNotes} onChange={writeNote} />
          </div>
        </div>
      ) : state.status === 'failed' ? (
        <EmptyState
          picture={<EmptyPicture />}
          title={t.missingTitle}
          action={<Button onClick={() => void load()}>{t.tryAgain}</Button>}
        >
          {sentenceOf(state.failure)}
        </EmptyState>
      ) : (
        <div className={css.bones} aria-busy>
          <While
            name={item.id}
            run={() => {
              void openMissed();
            }}
          />
          <Skeleton height="15rem" />
          <Skeleton height="6rem" />
          <Skeleton height="12rem" />
        </div>
      )}
      {isReady && <Bar draft={draft} worked={worked} />}
    </div>
  );
}
