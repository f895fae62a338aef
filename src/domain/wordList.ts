/** The words of a text, with blanks and line ends between them, as the compiler reads it. */
export type Words<S extends string, Before extends string = never> = S extends `${infer Line}\n${infer Rest}`
  ? Words<Rest, Before | Words<Line>>
  : S extends `${infer One} ${infer Rest}`
    ? Words<Rest, Before | One>
    : Exclude<Before | S, ''>;

/** The same while the program runs. */
export const wordsIn = <S extends string>(text: S) => text.split(/\s+/).filter((one) => one !== '') as Words<S>[];
