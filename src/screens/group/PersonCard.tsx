import * as t from '#text/group.ts';
import { useAtomValue, useSetAtom } from 'jotai';
import type { Group, Person } from '../../contract/group.ts';
import { clashesOf, DIETS } from '../../domain/group.ts';
import { cartLinesAtom, changeLineAtom } from '../../state/first/cart.ts';
import { allergensTextAtom } from '../../state/first/menu.ts';
import { groupTasks, isOver, removePersonAtom } from '../../state/group/group.ts';
import { popupAtom } from '../../state/base/popup.ts';
import { toastMessageAtom } from '../../state/first/toast.ts';
import { Button } from '../../ui/forms/Button.tsx';
import { Card } from '../../ui/page/Card.tsx';
import { madeOf } from '../../domain/madeOf.ts';
import { DishName } from '../../ui/DishName.tsx';
import { FoodMark } from '../../ui/pictures/FoodMark.tsx';
import { IconButton } from '../../ui/forms/IconButton.tsx';
import { TrashIcon } from '../../ui/pictures/icons.ts';
import { Price } from '../../ui/money/Price.tsx';
import { rich } from '../../ui/rich.ts';
import { Tag } from '../../ui/Tag.tsx';
import { CartLine } from '../cart/CartLine.tsx';
import css from './GroupScreen.module.css';

/** What in a dish this person does not eat, in words; '' when it suits them. */
const clashText = (line: Parameters<typeof clashesOf>[0], { diet }: Person) =>
  clashesOf(line, diet)
    .map((one) => t.dietClash({ diet: one }))
    .join(', ');

/** This device's own dishes, from the cart on the device, so that a tap shows at once and without a network. */
function OwnLines({ person }: { person: Person }) {
  const lines = useAtomValue(cartLinesAtom).filter((line) => !line.by && !line.priced?.free);
  if (lines.length === 0) return <p className={css.soft}>{t.nothingYet}</p>;
  const clashing = lines.flatMap((line) => {
    const clashes = line.priced ? clashText(line.priced, person) : '';
    return clashes ? [{ id: line.lineId, text: t.dishClashes({ dish: line.name, clashes }) }] : [];
  });
  return (
    <>
      <ul className={css.own}>
        {lines.map((line) => (
          <CartLine key={line.lineId} line={line} />
        ))}
      </ul>
      {clashing.map(({ id, text }) => (
        <p key={id} className={css.clash}>
          {text}
        </p>
      ))}
    </>
  );
}

function Lines({ person, isHost }: { person: Person; isHost: boolean }) {
  const change = useSetAtom(changeLineAtom);
  const say = useSetAtom(toastMessageAtom);
  const allergensText = useAtomValue(allergensTextAtom);
  if (person.lines.length + person.gone.length === 0) return <p className={css.soft}>{t.nothingYet}</p>;
  return (
    <ul className={css.lines}>
      {person.lines.map((line) => {
        const clashes = clashText(line, person);
        return (
          <li key={line.lineId}>
            <span>
              {line.quantity} × <FoodMark type={line.product.foodType} /> <DishName name={line.product.name} />
              <small>{madeOf(line).join(' · ')}</small>
              {line.note && <small>“{line.note}”</small>}
              {line.allergens.length > 0 && <small>{t.contains({ allergens: allergensText(line.allergens) })}</small>}
              {clashes && (
                <small className={css.clash}>
                  {person.name}: {clashes}
                </small>
              )}
            </span>
            <Price amount={line.lineTotal} />
            {isHost && (
              <IconButton
                label={t.removeDish({ dish: line.product.name, person: person.name })}
                onClick={() => {
                  change({ lineId: line.lineId, quantity: 0 });
                  say(t.removedDish({ dish: line.product.name, person: person.name }));
                }}
              >
                <TrashIcon size={18} />
              </IconButton>
            )}
          </li>
        );
      })}
      {person.gone.map((line) => (
        <li key={line.lineId}>
          <span>
            {line.name}
            <small className={css.clash}>{line.reason}</small>
          </span>
        </li>
      ))}
    </ul>
  );
}

/** One person of a group order: what they do not eat, their dishes, and the sum. */
export function PersonCard({ group, person }: { group: Group; person: Person }) {
  const isBusy = useAtomValue(groupTasks.isBusyAtom);
  const remove = useSetAtom(removePersonAtom);
  const ask = useSetAtom(popupAtom);
  const isHost = group.role === 'host' && !isOver(group);
  const mayChange = person.isMe && (group.state === 'OPEN' || isHost);
  const { share } = person;
  return (
    <Card
      title={
        <span className={css.row}>
          {person.name}
          {person.isHost && <Tag tone="sun">{t.tagHost}</Tag>}
          {person.isMe && <Tag tone="blue">{t.tagYou}</Tag>}
          {person.done && <Tag tone="lime">{t.tagDone}</Tag>}
          {DIETS.filter((diet) => person.diet.includes(diet)).map((diet) => (
            <Tag key={diet}>{t.dietMark({ diet })}</Tag>
          ))}
        </span>
      }
      end={
        isHost &&
        !person.isHost && (
          <Button
            kind="quiet"
            small
            busy={isBusy}
            aria-label={t.takeOutPerson({ person: person.name })}
            onClick={() =>
              ask({
                header: t.takeOutAsk({ person: person.name }),
                message: t.takeOutText,
                left: { label: t.takeOutNot },
                right: {
                  label: t.takeOut,
                  act: () => {
                    void remove(group.code, person.personId);
                  },
                },
              })
            }
          >
            {t.takeOut}
          </Button>
        )
      }
    >
      {mayChange ? <OwnLines person={person} /> : <Lines person={person} isHost={isHost} />}
      {share.total > 0 && (
        <p className={css.share}>
          <span className={css.soft}>
            {rich(share.discount < 0 ? t.shareOfWithOffers : t.shareOf, {
              dishes: <Price amount={share.dishes} />,
              offers: <Price amount={share.discount} />,
              charges: <Price amount={share.charges} />,
            })}
          </span>
          <b>{rich(t.share, { amount: <Price amount={share.total} /> })}</b>
        </p>
      )}
    </Card>
  );
}
