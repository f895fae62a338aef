import * as t from '#text/cart.ts';
import { NOTE_AT_MOST } from '../../contract/cart.ts';
import { useAtomValue, useSetAtom } from 'jotai';
import { useId, useRef, useState, type FormEvent } from 'react';
import { addLineAtom, cartLinesAtom, changeLineAtom, type ViewLine } from '../../state/first/cart.ts';
import { avoidedAtom } from '../../state/menu/household.ts';
import { allergensTextAtom, itemsByIdAtom } from '../../state/first/menu.ts';
import { toastMessageAtom } from '../../state/first/toast.ts';
import { madeOf } from '../../domain/madeOf.ts';
import { typedText } from '../../domain/typedText.ts';
import { Button } from '../../ui/forms/Button.tsx';
import { Field } from '../../ui/forms/Field.tsx';
import { DishName } from '../../ui/DishName.tsx';
import { FoodMark } from '../../ui/pictures/FoodMark.tsx';
import { href } from '../../ui/href.ts';
import { Price } from '../../ui/money/Price.tsx';
import { QuantityStepper } from '../../ui/forms/QuantityStepper.tsx';
import { rich } from '../../ui/rich.ts';
import { Skeleton } from '../../ui/page/Skeleton.tsx';
import { Tag } from '../../ui/Tag.tsx';
import { LinePicture } from '../base/LinePicture.tsx';
import css from './CartLine.module.css';

/**
 * One line of the cart: what it is, what was chosen, how many, what it costs. `quiet` where another place of the page
 * announces the quantity.
 */
export function CartLine({ line, quiet }: { line: ViewLine; quiet?: boolean }) {
  const apart = useApart(line);
  const item = useAtomValue(itemsByIdAtom).get(line.productId);
  const kind = line.priced?.product.kind ?? item?.kind ?? 'SIDE';
  const [isNoting, setNoting] = useState(false);
  const hasNote = !quiet && kind !== 'DEAL' && item?.customisable === false && isOwn(line);
  return (
    <li className={css.line} data-problem={line.problem !== null || undefined}>
      <div className={css.picture}>
        <LinePicture line={{ ...line.input, product: { id: line.productId, kind, name: line.name } }} />
      </div>
      <div className={css.words}>
        <Words line={line} />
        {!line.priced?.free && <Quantity line={line} apart={apart} {...(quiet ? { quiet } : {})} />}
      </div>
      <div className={css.price}>
        {line.priced?.quantity === line.quantity ? (
          <Price amount={line.priced.lineTotal} zero={t.free} />
        ) : (
          line.problem === null && <Skeleton width="3.5rem" height="1.1em" />
        )}
        <Edit line={line} kind={kind} apart={apart} />
        {hasNote && <NoteButton line={line} apart={apart} isOpen={isNoting} onToggle={setNoting} />}
      </div>
      {isNoting && <NoteForm line={line} onDone={() => setNoting(false)} />}
    </li>
  );
}

/**
 * The line's name for its buttons. Where another line has the same name, what was chosen is added to tell them apart.
 */
function useApart({ lineId, name, priced }: ViewLine): string {
  const isAlone = useAtomValue(cartLinesAtom).every((other) => other.name !== name || other.lineId === lineId);
  return isAlone || !priced ? name : [name, ...madeOf(priced)].join(', ');
}

function Words({ line }: { line: ViewLine }) {
  const item = useAtomValue(itemsByIdAtom).get(line.productId);
  const { priced, by, problem, input } = line;
  const avoided = useAtomValue(avoidedAtom)(priced?.allergens ?? []);
  const allergensText = useAtomValue(allergensTextAtom);
  const made = priced ? madeOf(priced) : [];
  const foodType = priced?.product.foodType ?? item?.foodType;
  return (
    <>
      <p className={css.name}>
        {foodType && <FoodMark type={foodType} />} <DishName name={line.name} />
        {by && (
          <>
            {' '}
            <Tag tone="blue">{by.name}</Tag>
          </>
        )}
      </p>
      {made.length > 0 && <p className={css.choices}>{made.join(' · ')}</p>}
      {!priced && !problem && (input.size ?? input.slots) && (
        <p className={css.choices}>
          <Skeleton width="60%" height="1.5em" />
        </p>
      )}
      {input.note && <p className={css.choices}>“{input.note}”</p>}
      {avoided.length > 0 && (
        <p>
          <Tag tone="red">{t.avoided({ allergens: allergensText(avoided) })}</Tag>
        </p>
      )}
      {problem && <p className={css.problem}>{problem}</p>}
    </>
  );
}

/**
 * The focus goes on to the next line before this one disappears, else to the one before, else to the heading of the
 * cart beside a menu or of the page.
 */
function moveOn(line: Element | null | undefined): void {
  const next = [line?.nextElementSibling, line?.previousElementSibling].flatMap(
    (one) => one?.querySelector<HTMLElement>('[role=group] button') ?? [],
  )[0];
  if (next) next.focus();
  else {
    const heading = line?.closest('aside')?.querySelector('h2') ?? document.querySelector('h1');
    // The empty cart has a heading of its own.
    requestAnimationFrame(() => (heading?.isConnected ? heading : document.querySelector('h1'))?.focus());
  }
}

function Quantity({ line, apart, quiet }: { line: ViewLine; apart: string; quiet?: boolean }) {
  const change = useSetAtom(changeLineAtom);
  const add = useSetAtom(addLineAtom);
  const say = useSetAtom(toastMessageAtom);
  const row = useRef<HTMLDivElement>(null);
  const setQuantity = (quantity: number) => {
    if (quantity === 0) moveOn(row.current?.closest('li'));
    change({ lineId: line.lineId, quantity });
    if (quantity > 0) return;
    const { lineId: again, ...dish } = line.input;
    say(t.removed({ name: line.name }), {
      label: t.undo,
      act: () => {
        add({ ...dish, again });
      },
    });
  };
  return (
    <div className={css.row} ref={row}>
      <QuantityStepper label={apart} value={line.quantity} onChange={setQuantity} {...(quiet ? { quiet } : {})} />
    </div>
  );
}

/** A dish that can be made and that the customer has put in. */
const isOwn = ({ problem, priced, by }: ViewLine) => problem === null && !priced?.free && !by;

interface NoteButtonProps {
  line: ViewLine;
  apart: string;
  isOpen: boolean;
  onToggle: (isOpen: boolean) => void;
}

/** Only where there is no page to build the dish on: that has its own place for a note. */
function NoteButton({ line, apart, isOpen, onToggle }: NoteButtonProps) {
  return (
    <button type="button" className={css.edit} aria-expanded={isOpen} onClick={() => onToggle(!isOpen)}>
      {rich(line.input.note ? t.noteChange : t.noteAdd, {
        name: apart,
        hidden: <span className="visually-hidden" />,
      })}
    </button>
  );
}

/** What the kitchen should know of a side or a drink. */
function NoteForm({ line, onDone }: { line: ViewLine; onDone: () => void }) {
  const change = useSetAtom(changeLineAtom);
  const [typed, setTyped] = useState(line.input.note ?? '');
  const id = useId();
  const save = (event: FormEvent) => {
    event.preventDefault();
    const { lineId, quantity: _same, ...dish } = line.input;
    change({ lineId, line: { ...dish, note: typedText(typed) || undefined } });
    onDone();
  };
  return (
    <form className={css.note} noValidate onSubmit={save}>
      <Field
        id={id}
        label={t.note}
        hint={t.noteHint}
        autoFocus
        value={typed}
        maxLength={NOTE_AT_MOST}
        enterKeyHint="done"
        onChange={(event) => setTyped(event.target.value)}
      >
        <Button type="submit" kind="quiet" small>
          {t.noteSave}
        </Button>
      </Field>
    </form>
  );
}

/** A link to the page on which the dish was built. */
function Edit({ line, kind, apart }: { line: ViewLine; kind: string; apart: string }) {
  const item = useAtomValue(itemsByIdAtom).get(line.productId);
  const builder = kind === 'DEAL' ? 'combo' : item?.customisable ? 'customise' : null;
  if (!builder || line.problem || line.priced?.free) return null;
  return (
    <a className={css.edit} href={href(`/${builder}/${line.productId}?line=${encodeURIComponent(line.lineId)}`)}>
      {rich(t.edit, {
        name: (
          <>
            <DishName name={line.name} />
            {apart.slice(line.name.length)}
          </>
        ),
        hidden: <span className="visually-hidden" />,
      })}
    </a>
  );
}
