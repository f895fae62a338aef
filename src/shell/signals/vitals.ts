import { onCLS, onINP, onLCP, onTTFB, type Metric } from 'web-vitals';
import { VITAL } from '../../contract/activity.ts';
import { pageName } from '../../domain/pagenames.ts';
import { pathAtom } from '../../state/first/seams.ts';
import { trackAtom } from '../../state/telemetry/telemetry.ts';
import type { Store } from '../first/watchers.tsx';

let isMeasured = false;
/** Reports how fast this page was: once for each figure, when the browser knows it. What came before is counted, too. */
export function measure(store: Store): void {
  // The customer may have taken the consent back and given it again.
  if (isMeasured) return;
  isMeasured = true;
  const landed = pageName(store.get(pathAtom).split('?')[0] ?? '/') ?? '';
  const report = ({ name, value, rating }: Metric) =>
    store.set(trackAtom, VITAL, { metric: name, value, rating, page: landed });
  onTTFB(report);
  onLCP(report);
  onCLS(report);
  onINP(report);
}
