import { useAtomValue, useSetAtom } from 'jotai';
import type { Group, Person } from '../../contract/group.ts';
import { clashesOf, DIETS } from '../../domain/group.ts';
import { cartLinesAtom, changeLineAtom } from '../../state/cart.ts';
import { isGroupBusyAtom, isOver, removePersonAtom } from '../../state/group.ts';
import { popupAtom, toastMessageAtom } from '../../state/popup.ts';
import { Button } from '../../ui/Button.tsx';
import { Card } from '../../ui/Card.tsx';
import { FoodMark } from '../../ui/FoodMark.tsx';
import { IconButton } from '../../ui/IconButton.tsx';
import { TrashIcon } from '../../ui/icons/TrashIcon.tsx';
import { Price } from '../../ui/Price.tsx';
import { Tag } from '../../ui/Tag.tsx';
import { CartLine } from '../cart/CartLine.tsx';
import css from './GroupScreen.module.css';

/** The own dishes as the cart has them, so that a tap shows at once and without a network. */
function OwnLines({ person }: { person: Person }) {
  const lines = useAtomValue(cartLinesAtom).filter((line) => !line.by && !line.priced?.free);
  if (lines.length === 0) return <p className={css.soft}>Nothing yet.</p>;
  const clashing = lines.flatMap((line) => {
    const clashes = line.priced ? clashesOf(line.priced, person.diet) : [];
    return clashes.length > 0 ? [{ id: line.lineId, text: `${line.name} ${clashes.join(', ')}` }] : [];
  });
  return (
    <>
      <ul className={css.own}>{lines.map((line) => <CartLine key={line.lineId} line={line} />)}</ul>
      {clashing.map(({ id, text }) => <p key={id} className={css.clash}>{text}</p>)}
    </>
  );
}

function Lines({ person, isHost }: { person: Person; isHost: boolean }) {
  const change = useSetAtom(changeLineAtom);
  const say = useSetAtom(toastMessageAtom);
  if (person.lines.length + person.gone.length === 0) return <p className={css.soft}>Nothing yet.</p>;
  return (
    <ul className={css.lines}>
      {person.lines.map((line) => {
        const clashes = clashesOf(line, person.diet);
        return (
          <li key={line.lineId}>
            <span>
              {line.quantity} × <FoodMark type={line.product.foodType} /> {line.product.name}
              {line.choices.length > 0 && <small>{line.choices.join(' · ')}</small>}
              {line.note && <small>“{line.note}”</small>}
              {line.allergens.length > 0 && <small>contains {line.allergens.join(', ')}</small>}
              {clashes.length > 0 && <small className={css.clash}>{person.name}: {clashes.join(', ')}</small>}
            </span>
            <Price amount={line.lineTotal} />
            {isHost && <IconButton label={`Remove ${line.product.name} of ${person.name}`} onClick={() => { change({ lineId: line.lineId, quantity: 0 }); say(`${line.product.name} of ${person.name} is removed.`); }}><TrashIcon size={18} /></IconButton>}
          </li>
        );
      })}
      {person.gone.map((line) => <li key={line.lineId}><span>{line.name}<small className={css.clash}>{line.reason}</small></span></li>)}
    </ul>
  );
}

/** One person of a group order: marks, dishes, and what they come to. */
export function PersonCard({ group, person }: { group: Group; person: Person }) {
  const isBusy = useAtomValue(isGroupBusyAtom);
  const remove = useSetAtom(removePersonAtom);
  const ask = useSetAtom(popupAtom);
  const isHost = group.role === 'host' && !isOver(group);
  const mayChange = person.isMe && (group.state === 'OPEN' || isHost);
  const { share } = person;
  return (
    <Card
      title={<span className={css.row}>{person.name}{person.isHost && <Tag tone="sun">Host</Tag>}{person.isMe && <Tag tone="blue">You</Tag>}{person.done && <Tag tone="lime">Done</Tag>}{DIETS.filter((rule) => person.diet.includes(rule.id)).map((rule) => <Tag key={rule.id}>{rule.label}</Tag>)}</span>}
      end={isHost && !person.isHost && (
        <Button
          kind="quiet" small busy={isBusy} aria-label={`Take out ${person.name}`}
          onClick={() => ask({
            header: `Take ${person.name} out?`, message: 'Their dishes leave the cart, and the link works for them no longer.', left: { label: 'Keep' },
            right: { label: 'Take out', act: () => { void remove(group.code, person.personId); } },
          })}
        >
          Take out
        </Button>
      )}
    >
      {mayChange ? <OwnLines person={person} /> : <Lines person={person} isHost={isHost} />}
      {share.total > 0 && (
        <p className={css.share}>
          <span className={css.soft}>Dishes <Price amount={share.dishes} />{share.discount < 0 && <>, offers <Price amount={share.discount} /></>}, charges <Price amount={share.charges} /></span>
          <b>Share <Price amount={share.total} /></b>
        </p>
      )}
    </Card>
  );
}
