import { atom } from 'jotai';
import * as contract from '../contract/activity.ts';
import { shortUserAgent } from '../domain/device.ts';
import { pageName } from '../domain/pagenames.ts';
import { apiAtom, countryAtom, placeAtom } from './seams.ts';
import { userAtom } from './session.ts';

/** One switch: only the production of a country that has it on sends page views (specification section 7, product.md C16). */
export const isUsageTrackedAtom = atom((get) => get(countryAtom).ENVIRONMENTS.production.USER_ACTIVITY_TRACKING === 'true');

/** Never rejects: what goes wrong is only logged. */
export const trackPageAtom = atom(null, async (get, _set, referrer: string): Promise<void> => {
  if (!get(isUsageTrackedAtom)) return;
  const [path = '/', query = ''] = get(placeAtom).split('?');
  const name = pageName(path);
  if (name === null) return;
  try {
    const { call, ensureSession } = get(apiAtom);
    await ensureSession();
    await call(contract.savePageView, { body: { data: {
      userAgent: shortUserAgent(navigator.userAgent), platform: 'PWA', userId: get(userAtom)?.userId ?? '', timestamp: Date.now(),
      pageName: name, referrer: referrer.slice(0, 400), action: 'view', actionType: 'page', properties: { path, query: query.slice(0, 400) },
    } } });
  } catch (thrown) {
    console.error(thrown);
  }
});
