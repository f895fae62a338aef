import * as errors from '#text/errors.ts';
import * as t from '#text/order.ts';
import { atom, useAtomValue, useSetAtom } from 'jotai';
import { isGone } from '../../api/failure.ts';
import { sharedState } from '../../state/orders/tracking.ts';
import { AppBar } from '../../ui/page/AppBar.tsx';
import { Card } from '../../ui/page/Card.tsx';
import { href } from '../../ui/href.ts';
import { Aside, Page } from '../../ui/page/Page.tsx';
import { ProgressBar } from '../../ui/page/ProgressBar.tsx';
import { Repeat } from '../../ui/time/Repeat.tsx';
import { Skeleton } from '../../ui/page/Skeleton.tsx';
import { Steps } from '../../ui/Steps.tsx';
import type { ScreenInput } from '../base/entered.ts';
import { NotLoaded } from '../base/NotLoaded.tsx';
import { useClock } from '../base/clock.ts';
import { shownSteps } from '../base/steps.ts';
import { expectedText, rateText } from '../base/words.ts';
import { ServiceTag } from './ServiceTag.tsx';
import css from '../tracking/Progress.module.css';

const EVERY_MS = 10_000;

export const enter = atom(null, async (_get, set, { params }: ScreenInput) => {
  await set(sharedState.load, params.token ?? '');
});

/** What a shared link shows: how far an order is, and nothing about the customer. */
export default function SharedScreen({ params }: { params: Readonly<Record<string, string>> }) {
  const { data, status, failure } = useAtomValue(sharedState.atom);
  const order = isGone(failure) ? null : data;
  const load = useSetAtom(sharedState.load);
  const clock = useClock();
  const token = params.token ?? '';
  return (
    <>
      <AppBar title={t.sharedTitle} subtitle={order?.text} back={{ label: t.home, href: href('/') }}>
        {order && <ServiceTag label={order.serviceLabel} />}
      </AppBar>
      <Page>
        {!order && status === 'failed' && (
          <NotLoaded
            title={failure?.kind === 'refused' ? errors.brokenLink : t.sharedMissing}
            failure={failure}
            menu="/"
            onRetry={() => void load(token)}
          />
        )}
        {!order && status !== 'failed' && (
          <div aria-busy="true">
            <Skeleton height="14rem" />
          </div>
        )}
        {order && (
          <>
            <Card title={order.isOver ? t.awaitedOver : t.sharedFrom({ store: order.storeName })}>
              {order.eta && !order.isOver && (
                <div className={css.eta} aria-live="polite">
                  <b>{expectedText(order.eta, clock, order.scheduledFor)}</b>
                  <span>{rateText(order.eta, order.orderType)}</span>
                  {order.eta.moved && <span className={css.moved}>{order.eta.moved}</span>}
                </div>
              )}
              {order.progress !== null && (
                <div className={css.way}>
                  <ProgressBar label={t.sharedWay} value={order.progress} max={1}>
                    {order.progress < 0.1
                      ? t.sharedRiderLeft
                      : t.sharedRiderCame({ percent: Math.round(order.progress * 10) * 10 })}
                  </ProgressBar>
                </div>
              )}
              <Steps label={t.sharedSteps} steps={shownSteps(order.steps, clock.time)} />
            </Card>
            <Aside>{t.sharedPrivacy}</Aside>
            {!order.isOver && <Repeat everyMs={EVERY_MS} run={() => load(token)} />}
          </>
        )}
      </Page>
    </>
  );
}
