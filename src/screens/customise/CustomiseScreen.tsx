import { useAtomValue, useSetAtom } from 'jotai';
import { useState } from 'react';
import type { Builder, MenuItem } from '../../contract/menu.ts';
import { crustsFor } from '../../domain/build.ts';
import { multiply } from '../../domain/money.ts';
import {
  askJainAtom, builderStateAtom, chooseCheeseAtom, chooseCrustAtom, chooseHalfAtom, chooseSauceAtom, chooseSizeAtom, draftAtom, effectAtom, finishDraftAtom, isJainAskedAtom,
  loadBuilderAtom, openBuilderAtom, openMissedAtom, partsAtom, resetDraftAtom, setQuantityOfDraftAtom, spreadAtom, toggleNoteAtom, workedAtom, writeNoteAtom, type Draft, type Worked,
} from '../../state/builder.ts';
import { dealDraftAtom, keepPieceAtom } from '../../state/deals.ts';
import { fitsAtom } from '../../state/filters.ts';
import { avoidedAtom } from '../../state/household.ts';
import { menuAtom, menuStateAtom } from '../../state/menu.ts';
import { sentenceOf, toastMessageAtom } from '../../state/popup.ts';
import { hostAtom, navigateAtom } from '../../state/seams.ts';
import { AppBar } from '../../ui/AppBar.tsx';
import { BottomBar } from '../../ui/BottomBar.tsx';
import { Button } from '../../ui/Button.tsx';
import { CheckBox } from '../../ui/CheckBox.tsx';
import { Chips } from '../../ui/Chips.tsx';
import { EmptyPicture } from '../../ui/EmptyPicture.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { Field } from '../../ui/Field.tsx';
import { FoodMark } from '../../ui/FoodMark.tsx';
import { href } from '../../ui/href.ts';
import { ItemPicture } from '../../ui/ItemPicture.tsx';
import { PizzaPicture, type PizzaTopping } from '../../ui/PizzaPicture.tsx';
import { Price } from '../../ui/Price.tsx';
import { QuantityStepper } from '../../ui/QuantityStepper.tsx';
import { RadioCards } from '../../ui/RadioCards.tsx';
import { Sheet } from '../../ui/Sheet.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { Tag } from '../../ui/Tag.tsx';
import { While } from '../../ui/While.tsx';
import { Heart } from '../menu/Heart.tsx';
import { leave } from './leave.ts';
import { Segment } from './Segment.tsx';
import { Toppings } from './Toppings.tsx';
import { Share } from './Share.tsx';
import css from './CustomiseScreen.module.css';

export const enter = openBuilderAtom;

const NOTE_MAX = 80;

/** The pizza as it stands, drawn and spoken. */
function Picture({ draft, worked, builder }: { draft: Draft; worked: Worked; builder: Builder }) {
  const spread = useAtomValue(spreadAtom);
  const size = builder.sizes.find((one) => one.id === draft.size);
  const sauceId = draft.sauce?.id ?? worked.item.sauce ?? 'tomato';
  const sauce = builder.sauces.find((one) => one.id === sauceId);
  const crust = worked.finished?.crust;
  const toppings: PizzaTopping[] = [];
  for (const topping of builder.toppings) {
    const both = spread.get(topping.id);
    if (!both) continue;
    const { name, draw } = topping;
    if (both.left === both.right) {
      if (both.left !== 'none') toppings.push({ name, ...draw, half: 'WHOLE', amount: both.left });
      continue;
    }
    if (both.left !== 'none') toppings.push({ name, ...draw, half: 'LEFT', amount: both.left });
    if (both.right !== 'none') toppings.push({ name, ...draw, half: 'RIGHT', amount: both.right });
  }
  return (
    <div className={css.picture}>
      <PizzaPicture
        size={draft.size} {...(size ? { sizeName: size.name } : {})} slices={size?.slices ?? 6} crust={crust?.id ?? 'hand-tossed'} {...(crust ? { crustName: crust.name } : {})}
        sauce={sauceId} {...(sauce ? { sauceName: sauce.name, sauceColour: sauce.colour } : {})} cheese={draft.cheese} toppings={toppings}
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
          legend="Size" tiles value={draft.size} onChange={chooseSize}
          options={sizes.map((size) => ({
            value: size.id, title: size.name, detail: <>{size.diameterInches} in<br />serves {size.serves}</>, end: <Price amount={item.prices[size.id]!} />,
          }))}
        />
      )}
      {crusts.length > 1 && (
        <RadioCards
          legend="Crust" value={worked.finished?.crust?.id ?? null} onChange={chooseCrust}
          options={crusts.map((crust) => ({
            value: crust.id, title: crust.name, end: (crust.surcharge[draft.size] ?? 0) > 0 ? <>+<Price amount={crust.surcharge[draft.size]!} /></> : 'included',
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
      <summary><b>Sauce and cheese</b><span>{chosen?.name ?? (isSplit ? 'Each half its own' : own?.name)}{level === 'normal' ? '' : `, ${level}`} · {draft.cheese} cheese</span></summary>
      <RadioCards
        legend="Sauce" quietLegend tiles value={draft.sauce && draft.sauce.id !== (isSplit ? '' : own?.id) ? draft.sauce.id : 'own'}
        onChange={(id) => chooseSauce(id === 'own' ? null : { id, level })}
        options={[
          { value: 'own', title: isSplit ? 'Each half its own' : own?.name ?? 'The recipe’s own' },
          ...builder.sauces.filter((sauce) => isSplit || sauce.id !== own?.id).map((sauce) => ({ value: sauce.id, title: sauce.name })),
        ]}
      />
      {(draft.sauce || own) && (
        <Segment
          legend="How much sauce" value={level} onChange={(value) => chooseSauce(value === 'normal' && !chosen ? null : { id: draft.sauce?.id ?? own!.id, level: value })}
          options={[{ value: 'light', text: 'Light' }, { value: 'normal', text: 'Normal' }, { value: 'extra', text: 'Extra' }]}
        />
      )}
      <Segment
        legend="How much cheese" value={draft.cheese} onChange={chooseCheese}
        options={[{ value: 'none', text: 'None' }, { value: 'light', text: 'Light' }, { value: 'normal', text: 'Normal' }, { value: 'extra', text: 'Extra' }]}
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
  const sizes = builder.halfAndHalfSizes;
  const names = builder.sizes.filter((size) => sizes.includes(size.id)).map((size) => size.name.toLowerCase());
  const canBe = sizes.some((size) => worked.item.prices[size] !== undefined);
  if (!canBe || worked.item.kind !== 'PIZZA' || draft.piece !== null) return null;
  const others = items.filter((item) => item.kind === 'PIZZA' && item.customisable && !item.soldOut && item.id !== worked.item.id && fits(item) && sizes.some((size) => item.prices[size] !== undefined));
  const priceSize = sizes.includes(draft.size) ? draft.size : sizes[0]!;
  return (
    <div className={css.halves}>
      <div>
        <b>{draft.secondHalf ? 'Half and half' : 'Two recipes on one pizza?'}</b>
        <p>{draft.secondHalf ? `Left: ${worked.item.name}. Right: ${worked.second.name}.` : `Make it half and half (${names.join(' or ')}).`} The dearer half sets the price.</p>
      </div>
      <Button kind="secondary" small onClick={() => setChoosing(true)}>{draft.secondHalf ? 'Change' : 'Choose'}</Button>
      {draft.secondHalf && <Button kind="quiet" small onClick={() => choose(null)}>One recipe</Button>}
      {isChoosing && (
        <Sheet title="The right half" onClose={() => setChoosing(false)} closeOnOutside={host.fullMode}>
          <ul className={css.picks}>
            {others.map((item) => (
              <li key={item.id}>
                <button type="button" onClick={() => { choose(item.id); setChoosing(false); }} aria-pressed={item.id === draft.secondHalf}>
                  <span><ItemPicture item={item} /></span>
                  <span><FoodMark type={item.foodType} /> <b>{item.name}</b><small>{item.description}</small></span>
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
  return (
    <div className={css.facts}>
      <FoodMark type={finished?.foodType ?? item.foodType} />
      {finished?.jain && <Tag tone="lime">Jain</Tag>}
      {finished && <span>{finished.kcal} kcal</span>}
      <span>{allergens.length > 0 ? `Contains ${allergens.join(', ')}` : 'No listed allergen'}</span>
      {avoided.length > 0 && <Tag tone="red">Not for your home: {avoided.join(', ')}</Tag>}
    </div>
  );
}

function Notes({ draft, builder }: { draft: Draft; builder: Builder }) {
  const [toggle, write] = [useSetAtom(toggleNoteAtom), useSetAtom(writeNoteAtom)];
  return (
    <details className={css.fold} open={draft.notes.length > 0 || draft.text !== '' || undefined}>
      <summary><b>Note for the kitchen</b><span>{[...draft.notes, draft.text].filter(Boolean).join(', ') || 'Less spicy, well done …'}</span></summary>
      <Chips label="Notes" chips={builder.cookingNotes.map((text) => ({ id: text, text }))} pressed={draft.notes} onToggle={toggle} />
      <Field label="Anything else" hint="The kitchen does what it can." value={draft.text} maxLength={NOTE_MAX} enterKeyHint="done" onChange={(event) => write(event.target.value)} />
    </details>
  );
}

function Jain({ item }: { item: MenuItem }) {
  const isAsked = useAtomValue(isJainAskedAtom);
  const ask = useSetAtom(askJainAtom);
  if (!item.jainOnRequest || item.jain) return null;
  return <CheckBox label="Make it Jain" detail="A sauce without onion and garlic; toppings a Jain kitchen does not use are left out." checked={isAsked} onChange={ask} />;
}

function Bar({ draft, worked }: { draft: Draft; worked: Worked }) {
  const effect = useAtomValue(effectAtom);
  const { go } = useAtomValue(navigateAtom);
  const deal = useAtomValue(dealDraftAtom);
  const [finish, keepPiece, toast, setQuantity] = [useSetAtom(finishDraftAtom), useSetAtom(keepPieceAtom), useSetAtom(toastMessageAtom), useSetAtom(setQuantityOfDraftAtom)];
  const { name } = worked.item;
  const onPress = () => {
    if (draft.piece !== null) {
      if (keepPiece()) leave(go, `/combo/${deal?.dealId}`);
      return;
    }
    if (!finish()) return;
    if (!draft.lineId) toast(`${draft.quantity > 1 ? `${draft.quantity} × ` : ''}${name} added`, { label: 'View cart', act: () => go('/cart') });
    leave(go, draft.lineId ? '/cart' : '/menu');
  };
  const said = worked.problem ?? effect?.text ?? worked.finished?.choices.at(-1) ?? 'As the recipe has it';
  return (
    <BottomBar
      label="Your choice"
      action={(
        <Button onClick={onPress}>
          {draft.piece !== null ? 'Keep this' : draft.lineId ? 'Update' : 'Add'}{' '}
          {worked.price !== null && draft.piece === null && <Price amount={multiply(worked.price, draft.quantity)} />}
        </Button>
      )}
    >
      <p className={css.effect} data-refused={Boolean(worked.problem) || effect?.isRefused || undefined} role="status">
        <span>{said}</span>{!worked.problem && effect?.difference ? <b>{effect.difference > 0 ? '+' : ''}<Price amount={effect.difference} /></b> : null}
      </p>
      {draft.piece === null && <QuantityStepper label={name} value={draft.quantity} min={1} onChange={setQuantity} />}
    </BottomBar>
  );
}

/** Builds a pizza, or changes one that is in the cart; the price shown comes from the rules the server asks by. */
export default function CustomiseScreen({ params }: { params: Readonly<Record<string, string>> }) {
  const draft = useAtomValue(draftAtom);
  const worked = useAtomValue(workedAtom);
  const parts = useAtomValue(partsAtom);
  const state = useAtomValue(builderStateAtom);
  const menu = useAtomValue(menuAtom);
  const menuState = useAtomValue(menuStateAtom);
  const load = useSetAtom(loadBuilderAtom);
  const reset = useSetAtom(resetDraftAtom);
  const { go } = useAtomValue(navigateAtom);
  const openMissed = useSetAtom(openMissedAtom);
  const item = menu.items.find((one) => one.id === params['productId']);
  const back = { label: 'Back', href: href('/menu'), onClick: (event: { preventDefault(): void }) => { event.preventDefault(); leave(go, '/menu'); } };
  if (!item || !item.customisable || item.kind === 'DEAL') {
    const isComing = menu.items.length === 0 && menuState.status !== 'failed';
    return (
      <div className={css.page}>
        <AppBar title="Customise" back={back} />
        {isComing ? <div className={css.bones} aria-busy><Skeleton height="15rem" /><Skeleton height="6rem" /></div>
          : <EmptyState picture={<EmptyPicture />} title="This dish cannot be changed" action={<Button href={href('/menu')}>See the menu</Button>}>It may have left the menu of this store.</EmptyState>}
      </div>
    );
  }
  const isReady = draft?.productId === item.id && worked && parts;
  const hasChanges = draft && (draft.wishes.length > 0 || draft.sauce || draft.cheese !== 'normal' || draft.crust || draft.secondHalf);
  return (
    <div className={css.page}>
      <AppBar title={isReady && draft.secondHalf ? `${item.name} + ${worked.second.name}` : item.name} subtitle={item.description} back={back}><Share item={item} /><Heart item={item} /></AppBar>
      {isReady ? (
        <div className={css.body}>
          <div className={css.stage}>
            <Picture draft={draft} worked={worked} builder={parts.builder} />
            <Facts worked={worked} />
            {hasChanges && <Button kind="quiet" small onClick={() => reset()}>Back to the recipe</Button>}
          </div>
          <div className={css.choices}>
            <Basics draft={draft} worked={worked} builder={parts.builder} />
            <Halves draft={draft} worked={worked} builder={parts.builder} />
            <Jain item={item} />
            <Toppings />
            <Sauce draft={draft} worked={worked} builder={parts.builder} />
            <Notes draft={draft} builder={parts.builder} />
          </div>
        </div>
      ) : state.status === 'failed' ? (
        <EmptyState picture={<EmptyPicture />} title="The choices did not arrive" action={<Button onClick={() => void load()}>Try again</Button>}>{sentenceOf(state.failure)}</EmptyState>
      ) : (
        <div className={css.bones} aria-busy><While name={item.id} run={() => { void openMissed(); }} /><Skeleton height="15rem" /><Skeleton height="6rem" /><Skeleton height="12rem" /></div>
      )}
      {isReady && <Bar draft={draft} worked={worked} />}
    </div>
  );
}
