import * as t from '#text/search.ts';
import { atom } from 'jotai';
import { canListen, listen } from '../bridge/voice.ts';
import { queryAtom } from './search.ts';
import { countryAtom } from './country.ts';
import { toastMessageAtom } from './first/toast.ts';
import { trimmedEnd } from '../domain/plainText.ts';

/** Whether the browser has voice recognition. The microphone is asked for only after a tap (requirement QUAL-X09). */
export const canListenAtom = atom(() => canListen());

const earsAtom = atom<AbortController | null>(null);
export const isListeningAtom = atom((get) => get(earsAtom) !== null);

/** Puts what was said into the search box; a second tap stops listening. Never rejects: what was typed stays. */
export const listenAtom = atom(null, async (get, set): Promise<void> => {
  const running = get(earsAtom);
  if (running) return running.abort();
  const ears = new AbortController();
  set(earsAtom, ears);
  try {
    const { locale } = get(countryAtom);
    const said = await listen(
      document.documentElement.lang.length > 2 ? document.documentElement.lang : locale,
      ears.signal,
    );
    const heard = trimmedEnd(said, /[.?!।]/).slice(0, 60);
    if (heard) set(queryAtom, heard);
    else if (!ears.signal.aborted) set(toastMessageAtom, t.notUnderstood);
  } catch (thrown) {
    set(
      toastMessageAtom,
      /not-allowed|service-not-allowed/.test(String(thrown)) ? t.microphoneDenied : t.listeningFailed,
    );
  } finally {
    set(earsAtom, null);
  }
});
