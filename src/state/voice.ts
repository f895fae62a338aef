import { atom } from 'jotai';
import { canListen, listen } from '../bridge/voice.ts';
import { queryAtom } from './search.ts';
import { countryAtom } from './seams.ts';
import { toastMessageAtom } from './toast.ts';

/** The page's microphone, where the browser has one; asked for only when it is tapped (requirement QUAL-X09). */
export const canListenAtom = atom(() => canListen());

const earsAtom = atom<AbortController | null>(null);
export const isListeningAtom = atom((get) => get(earsAtom) !== null);

/** Puts what was said into the search box; a second tap stops. Never rejects: what was typed stays. */
export const listenAtom = atom(null, async (get, set): Promise<void> => {
  const running = get(earsAtom);
  if (running) return running.abort();
  const ears = new AbortController();
  set(earsAtom, ears);
  try {
    const { locale } = get(countryAtom);
    const heard = (await listen(document.documentElement.lang.length > 2 ? document.documentElement.lang : locale, ears.signal)).replace(/[.?!।]+$/u, '').slice(0, 60);
    if (heard) set(queryAtom, heard);
    else if (!ears.signal.aborted) set(toastMessageAtom, 'Nothing was understood. Please say it again, or type it.');
  } catch (thrown) {
    set(toastMessageAtom, /not-allowed|service-not-allowed/.test(String(thrown)) ? 'The microphone is not allowed here. Please type what you are looking for.' : 'Listening did not work. Please type what you are looking for.');
  } finally {
    set(earsAtom, null);
  }
});
