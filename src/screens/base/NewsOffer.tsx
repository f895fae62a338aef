import { useEffect, useState } from 'react';
import { workersHere } from '../../bridge/workers.ts';
import { part } from '../../ui/time/loaded.tsx';

const News = FULL_MODE ? part(() => import('./News.tsx')) : () => null;

/** Notifications need the page's worker: without one, as on a slow line or in a payment app, there is nothing to offer. */
export function NewsOffer() {
  const [hasWorker, setHasWorker] = useState(false);
  useEffect(() => {
    workersHere()
      ?.getRegistration()
      .then(
        (one) => setHasWorker(one !== undefined),
        () => undefined,
      );
  }, []);
  return hasWorker && <News />;
}
