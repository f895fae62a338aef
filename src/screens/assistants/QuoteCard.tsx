import * as first from '#text/first.ts';
import * as payment from '#text/payment.ts';
import * as t from '#text/assistants.ts';
import { useAtom, useAtomValue, useSetAtom } from 'jotai';
import { useState } from 'react';
import type { AddressInput } from '../../contract/addresses.ts';
import type { Quote } from '../../contract/assistants.ts';
import {
  assistantBusyAtom,
  confirmQuoteAtom,
  firstNameAtom,
  isSecondAtom,
  quoteModeAtom,
  quoteState,
  quoteTermsAtom,
} from '../../state/checkout/assistants.ts';
import { countryAtom } from '../../state/base/country.ts';
import { sentenceOf } from '../../state/base/popup.ts';
import { userAtom } from '../../state/base/session.ts';
import { termsLinkAtom } from '../../state/shop/documents.ts';
import { BillLines } from '../../ui/money/BillLines.tsx';
import { Button } from '../../ui/forms/Button.tsx';
import { Card } from '../../ui/page/Card.tsx';
import { CheckBox } from '../../ui/forms/CheckBox.tsx';
import { DishName } from '../../ui/DishName.tsx';
import { Exact } from '../../ui/money/Exact.tsx';
import { href } from '../../ui/href.ts';
import { ListRow } from '../../ui/page/ListRow.tsx';
import { Aside } from '../../ui/page/Page.tsx';
import { Price } from '../../ui/money/Price.tsx';
import { Problems } from '../../ui/forms/Problems.tsx';
import { RadioCards } from '../../ui/forms/RadioCards.tsx';
import { rich } from '../../ui/rich.ts';
import { Skeleton } from '../../ui/page/Skeleton.tsx';
import { useClock } from '../base/clock.ts';
import { NameField } from '../base/NameField.tsx';
import { NotLoaded } from '../base/NotLoaded.tsx';

/** Accepted once for each version; shown only while this version is not. */
function Terms() {
  const { TNC } = useAtomValue(countryAtom);
  const [isAccepted, tick] = useAtom(quoteTermsAtom);
  const link = useAtomValue(termsLinkAtom);
  const [wasAccepted] = useState(isAccepted);
  if (wasAccepted) return null;
  return (
    <div>
      <CheckBox label={TNC} checked={isAccepted} onChange={tick} />
      <a href={href(link)}>{payment.readTerms}</a>
    </div>
  );
}

function Pay({ quote }: { quote: Quote }) {
  const clock = useClock();
  const [mode, choose] = useAtom(quoteModeAtom);
  const [firstName, type] = useAtom(firstNameAtom);
  const isSecond = useAtomValue(isSecondAtom);
  const isAccepted = useAtomValue(quoteTermsAtom);
  const hasName = (useAtomValue(userAtom)?.firstName ?? '') !== '';
  const busy = useAtomValue(assistantBusyAtom);
  const confirm = useSetAtom(confirmQuoteAtom);
  return (
    <>
      {!hasName && (
        <NameField
          part="given"
          label={payment.firstName}
          value={firstName}
          onChange={(event) => type(event.target.value)}
        />
      )}
      <RadioCards
        legend={t.payBy}
        options={quote.modes.map(({ id, label, disabledReason }) => ({
          value: id,
          title: label,
          detail: disabledReason,
          disabled: disabledReason !== undefined,
        }))}
        value={mode}
        onChange={choose}
      />
      <Aside>{rich(t.holds, { time: <span>{clock.time(quote.endsAt)}</span> })}</Aside>
      <Terms />
      <Button full disabled={mode === null || !isAccepted} busy={busy !== ''} onClick={() => void confirm()}>
        {isSecond ? t.onceMore : t.confirmButton}
      </Button>
    </>
  );
}

/** An order that an assistant has prepared, as the shop has it: what is not seen here is not ordered. */
export function QuoteCard({ quoteId }: { quoteId: string }) {
  const { data: quote, status, failure } = useAtomValue(quoteState.atom);
  const load = useSetAtom(quoteState.load);
  if (quote === null && status === 'failed')
    return (
      <NotLoaded title={t.confirmTitle} failure={failure} menu="/" onRetry={() => void load(quoteId)}>
        {sentenceOf(failure)}
      </NotLoaded>
    );
  if (quote === null) return <Skeleton height="20rem" />;
  const { address } = quote;
  const toRider = address === null ? [] : [address.instructions, quote.note].filter((part) => Boolean(part));
  // Where the rider goes is the position: what the address says may be anything.
  const whereto = ({ houseNo, address: street, landmark }: AddressInput) =>
    [`${houseNo}, ${street}`, landmark === undefined ? '' : payment.near({ landmark }), quote.place ?? ''].filter(
      Boolean,
    );
  const receiver = [address?.receiverName, address?.receiverMobile].filter((part) => part !== undefined);
  return (
    <>
      <Card title={t.confirmTitle} flush>
        <ListRow title={quote.storeName} detail={address === null ? undefined : whereto(address).join(' · ')} />
        <ListRow
          title={first.deliveryType({ type: quote.deliveryType })}
          detail={quote.slotLabel ?? payment.whenMinutes({ ...quote.deliveryMinutes, type: quote.deliveryType })}
        />
        {quote.table !== null && <ListRow title={payment.table} detail={quote.table} />}
        {quote.vehicle !== null && (
          <ListRow
            title={payment.vehicle}
            detail={`${quote.vehicle.colour} ${quote.vehicle.model} · ${quote.vehicle.lastFourDigits}`}
          />
        )}
        {receiver.length > 0 && <ListRow title={payment.whoTitle} detail={receiver.join(', ')} />}
        {toRider.length > 0 && <ListRow title={payment.forRider} detail={toRider.join(', ')} />}
        {quote.lines.map(({ lineId, product, quantity, choices, note, lineTotal }) => (
          <ListRow
            key={lineId}
            title={
              <>
                <span>{quantity} × </span>
                <DishName name={product.name} />
              </>
            }
            detail={[...choices, ...(note === undefined ? [] : [note])].join(', ') || undefined}
            end={<Price amount={lineTotal} />}
          />
        ))}
        {quote.note !== null && address === null && <ListRow title={t.noteToStore} detail={quote.note} />}
      </Card>
      {quote.lines.length > 0 && (
        <Card>
          <BillLines bill={quote.bill} totalLabel={t.toPay} />
        </Card>
      )}
      <Aside>{quote.cancelRule}</Aside>
      <Aside>{rich(t.preparedBy, { name: <Exact>{quote.name}</Exact> })}</Aside>
      {quote.orderId !== null ? (
        <Button full href={href(`/order/${quote.orderId}`)}>
          {t.follow}
        </Button>
      ) : quote.state === 'OVER' ? (
        <Problems>{t.quoteOver}</Problems>
      ) : quote.problems.length > 0 ? (
        <Problems>
          {quote.problems.map(({ code, displayMsg }) => (
            <p key={code}>{displayMsg}</p>
          ))}
        </Problems>
      ) : (
        <Pay quote={quote} />
      )}
    </>
  );
}
