/** A catalogue whatever the language: its sentences are other ones than the English. */
export type SentencesOf<C> = { readonly [K in keyof C]: C[K] extends string ? string : C[K] };
