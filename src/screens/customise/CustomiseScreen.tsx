import * as firstText from '#text/first.ts';
import * as t from '#text/customise.ts';
import { useAtomValue, useSetAtom } from 'jotai';
import type { MenuItem } from '../../contract/menu.ts';
import {
  askJainAtom,
  draftAtom,
  isJainAskedAtom,
  openBuilderAtom,
  openMissedAtom,
  partsAtom,
  resetDraftAtom,
  workedAtom,
  writeNoteAtom,
} from '../../state/cart/builder.ts';
import { builderStateAtom, loadBuilderAtom } from '../../state/menu/priceList.ts';
import { menuAtom, liveMenuAtom } from '../../state/first/menu.ts';
import { sentenceOf } from '../../state/base/popup.ts';
import { navigateAtom } from '../../state/first/seams.ts';
import { AppBar } from '../../ui/page/AppBar.tsx';
import { Button } from '../../ui/forms/Button.tsx';
import { CheckBox } from '../../ui/forms/CheckBox.tsx';
import { DishName } from '../../ui/DishName.tsx';
import { EmptyPicture } from '../../ui/pictures/EmptyPicture.tsx';
import { EmptyState } from '../../ui/page/EmptyState.tsx';
import { href } from '../../ui/href.ts';
import { BarToCome } from '../../ui/page/BottomBar.tsx';
import { Skeleton } from '../../ui/page/Skeleton.tsx';
import { While } from '../../ui/time/While.tsx';
import { Heart } from '../first/Heart.tsx';
import { backToMenu } from './leave.ts';
import { NoteFold } from './NoteFold.tsx';
import { Toppings } from './Toppings.tsx';
import { Share } from './Share.tsx';
import { BuiltPizza } from './BuiltPizza.tsx';
import { Basics } from './Basics.tsx';
import { Sauce } from './Sauce.tsx';
import { Halves } from './Halves.tsx';
import { DraftFacts } from './DraftFacts.tsx';
import { DraftBar } from './DraftBar.tsx';
import css from './CustomiseScreen.module.css';

export const enter = openBuilderAtom;

function Jain({ item }: { item: MenuItem }) {
  const isAsked = useAtomValue(isJainAskedAtom);
  const ask = useSetAtom(askJainAtom);
  if (!item.jainOnRequest || item.jain) return null;
  return <CheckBox label={t.jainAsk} detail={t.jainHow} checked={isAsked} onChange={ask} />;
}

/** The name and the description of what is built; of two recipes the description would tell only one. */
function headOf(item: MenuItem, second: { readonly name: string } | null) {
  return second
    ? { title: <DishName name={`${item.name} + ${second.name}`} /> }
    : { title: <DishName name={item.name} />, subtitle: [item.spoken, item.description].filter(Boolean).join(' · ') };
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
            <BarToCome />
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
            <BuiltPizza draft={draft} worked={worked} builder={parts.builder} />
            <DraftFacts worked={worked} />
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
          action={<Button onClick={() => void load()}>{firstText.tryAgain}</Button>}
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
          <BarToCome />
          <Skeleton height="15rem" />
          <Skeleton height="6rem" />
          <Skeleton height="12rem" />
        </div>
      )}
      {isReady && <DraftBar draft={draft} worked={worked} />}
    </div>
  );
}
