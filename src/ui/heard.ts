import { useLayoutEffect, useReducer } from 'react';

/**
 * Hears a text box from the moment in which it is on the page. What has just been drawn follows the values of the state
 * only after the paint (React's passive effects), and until then React puts a typed letter back to what was drawn: the
 * next one would take its place, on a slow phone five of them. Drawing once more, before anything else can happen, lets
 * those effects run at once.
 */
export function useHeardAtOnce(): void {
  const [, draw] = useReducer((times: number) => times + 1, 0);
  useLayoutEffect(() => draw(), []);
}
