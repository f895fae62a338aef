import * as t from '#text/search.ts';
import { atom } from 'jotai';
import { canListen, listen } from '../../bridge/voice.ts';
import { queryAtom } from './search.ts';
import { countryAtom } from '../base/country.ts';
import { toastMessageAtom } from '../first/toast.ts';
import { question } from '../lib/question.ts';
import { QUERY_MOST } from '../../domain/recentQueries.ts';
import { trimmedEnd } from '../../domain/trimmedEnd.ts';

/** Whether the browser has voice recognition. The microphone is asked for only after a tap (requirement QUAL-X09). */
export const canListenAtom = atom(() => canListen());

const speechQuestion = question((_get, signal, language: string) => listen(language, signal));
export const isListeningAtom = atom((get) => get(speechQuestion.atom) !== 'idle');

/**
 * Puts what was said into the search box; a second tap stops listening. Never rejects: what was typed, also meanwhile,
 * stays.
 */
export const listenAtom = atom(null, async (get, set): Promise<void> => {
  if (get(isListeningAtom)) return set(speechQuestion.drop);
  const { lang } = document.documentElement;
  const typed = get(queryAtom);
  const answer = await set(speechQuestion.ask, lang.length > 2 ? lang : get(countryAtom).locale);
  if (answer.is === 'superseded' || !answer.isHere() || get(queryAtom) !== typed) return;
  if (answer.is === 'failed') {
    const isDenied = /not-allowed|service-not-allowed/.test(String(answer.thrown));
    set(toastMessageAtom, isDenied ? t.microphoneDenied : t.listeningFailed);
    return;
  }
  const heard = trimmedEnd(answer.value, /[.?!।]/).slice(0, QUERY_MOST);
  if (heard) set(queryAtom, heard);
  else set(toastMessageAtom, t.notUnderstood);
});
