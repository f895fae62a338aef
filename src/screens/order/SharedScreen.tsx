import { atom, useAtomValue, useSetAtom } from 'jotai';
import { BROKEN_LINK } from '../../domain/messages.ts';
import { sharedState } from '../../state/orders.ts';
import { AppBar } from '../../ui/AppBar.tsx';
import { Button } from '../../ui/Button.tsx';
import { Card } from '../../ui/Card.tsx';
import { EmptyPicture } from '../../ui/EmptyPicture.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { href } from '../../ui/href.ts';
import { Aside, Page } from '../../ui/Page.tsx';
import { ProgressBar } from '../../ui/ProgressBar.tsx';
import { Repeat } from '../../ui/Repeat.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { Steps } from '../../ui/Steps.tsx';
import { Tag } from '../../ui/Tag.tsx';
import type { Entered } from '../entered.ts';
import { useClock } from './clock.ts';
import { rateText, shownSteps } from './words.ts';
import css from './Progress.module.css';

const EVERY_MS = 10_000;

export const enter = atom(null, async (_get, set, { params }: Entered) => { await set(sharedState.load, params.token ?? ''); });

/** The progress behind a shared link: how far somebody's order is, and nothing of whose it is. */
export default function SharedScreen({ params }: { params: Readonly<Record<string, string>> }) {
  const { data: order, status, failure } = useAtomValue(sharedState.atom);
  const load = useSetAtom(sharedState.load);
  const clock = useClock();
  const token = params.token ?? '';
  return (
    <>
      <AppBar title="Follow an order" subtitle={order?.text} back={{ label: 'Home', href: href('/') }}>
        {order && <Tag tone="blue">{order.serviceLabel}</Tag>}
      </AppBar>
      <Page>
        {!order && status === 'failed' && (
          <EmptyState
            picture={<EmptyPicture />} title={failure?.kind === 'refused' ? BROKEN_LINK : 'The order cannot be shown right now'}
            action={failure?.kind === 'refused' ? <Button href={href('/')}>See the menu</Button> : <Button kind="secondary" onClick={() => void load(token)}>Try again</Button>}
          />
        )}
        {!order && status !== 'failed' && <div aria-busy="true"><Skeleton height="14rem" /></div>}
        {order && (
          <>
            <Card title={order.isOver ? 'How it went' : `From ${order.storeName}`}>
              {order.eta && !order.isOver && (
                <div className={css.eta} aria-live="polite">
                  <b>{order.scheduledFor ? `${clock.date(order.scheduledFor)}, ` : ''}{clock.time(order.eta.from)} to {clock.time(order.eta.to)}</b>
                  <span>{rateText(order.eta, order.orderType)}</span>
                  {order.eta.moved && <span className={css.moved}>{order.eta.moved}</span>}
                </div>
              )}
              {order.progress !== null && <div className={css.way}><ProgressBar label="Way of the rider" value={order.progress} max={1}>{order.progress < 0.1 ? 'The rider has just left.' : `The rider has come ${Math.round(order.progress * 10)}0% of the way.`}</ProgressBar></div>}
              <Steps
                label="Progress of the order"
                steps={shownSteps(order.steps, clock.time)}
              />
            </Card>
            <Aside>You see how far the order is. Name, address and bill stay with who ordered.</Aside>
            {!order.isOver && <Repeat everyMs={EVERY_MS} run={() => void load(token)} />}
          </>
        )}
      </Page>
    </>
  );
}
