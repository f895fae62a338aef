import { atom } from 'jotai';
import * as contract from '../../contract/activity.ts';
import { shortUserAgent } from '../../domain/device.ts';
import { pageName } from '../../domain/pagenames.ts';
import { tracksUsage } from '../../domain/usage.ts';
import { isUsageAgreedAtom } from '../consent/consents.ts';
import { countryAtom } from '../base/country.ts';
import { apiAtom, pathAtom } from '../first/seams.ts';
import { userAtom } from '../base/session.ts';

/** Page views are sent only where the country's production tracks usage, and with a yes of the customer: they are told with their id. */
export const isUsageTrackedAtom = atom((get) => tracksUsage(get(countryAtom)) && get(isUsageAgreedAtom));

const trackedAtom = atom('');
/** Sends each page once, when it opens. Never rejects; errors are only logged. */
export const trackPageAtom = atom(null, async (get, set): Promise<void> => {
  const before = get(trackedAtom);
  if (!get(isUsageTrackedAtom) || before === get(pathAtom)) return;
  set(trackedAtom, get(pathAtom));
  const referrer = before || document.referrer;
  const [path = '/', query = ''] = get(pathAtom).split('?');
  const name = pageName(path);
  if (name === null) return;
  try {
    const { call, ensureSession } = get(apiAtom);
    await ensureSession();
    await call(contract.savePageView, {
      body: {
        data: {
          userAgent: shortUserAgent(navigator.userAgent),
          platform: 'PWA',
          userId: get(userAtom)?.userId ?? '',
          timestamp: Date.now(),
          pageName: name,
          referrer: referrer.slice(0, 400),
          action: 'view',
          actionType: 'page',
          properties: { path, query: query.slice(0, 400) },
        },
      },
    });
  } catch (thrown) {
    console.error(thrown);
  }
});
