/** A line of a block: what it is called, and what it says. */
export interface Fact {
  readonly label: string;
  readonly value: string;
}

export interface PaperRow {
  readonly name: string;
  /** What was chosen, in small print below the name. */
  readonly details: readonly string[];
  readonly code: string;
  readonly quantity: string;
  readonly price: string;
  /** What is taken off, where anything is. */
  readonly discount?: string;
  readonly amount: string;
}

export interface PaperSum extends Fact {
  /** What it is made of in small print, or a line that stands out. */
  readonly weight?: 'small' | 'strong';
}

/** The recipient of an invoice. It is kept apart from the paper: where no law wants it, it ends with the account. */
export interface Buyer {
  readonly name: string;
  readonly lines: readonly string[];
}

/** What a credit note takes off what was taxed, and off each tax by the id of its line; minor units. */
export interface TakenOff {
  readonly taxed: number;
  readonly taxes: Readonly<Record<string, number>>;
}

/**
 * An invoice or a credit note as it was made out: every word and number of it, so that no later sentence, price or
 * address changes it.
 */
export interface Paper {
  readonly title: string;
  /** What the law has stand above it. */
  readonly heading: readonly string[];
  readonly number: string;
  /** Epoch ms. */
  readonly issuedAt: number;
  readonly language: string;
  readonly seller: { readonly name: string; readonly lines: readonly string[]; readonly facts: readonly Fact[] };
  readonly buyerTitle: string;
  readonly facts: readonly Fact[];
  /** A paper of which nothing was taken off, and one of an older release, has no column for it. */
  readonly columns: Readonly<
    Record<'name' | 'code' | 'quantity' | 'price' | 'amount', string> & Partial<Record<'discount', string>>
  >;
  readonly rows: readonly PaperRow[];
  readonly sums: readonly PaperSum[];
  readonly words: Fact;
  readonly paidTitle: string;
  readonly paid: readonly Fact[];
  readonly notes: readonly string[];
  /** Of a credit note: by it the next one of the same invoice knows what is left. Those of older releases lack it. */
  readonly taken?: TakenOff;
  /** With `page` and `pages` to be filled in: "Page {page} of {pages}". */
  readonly footer: string;
}

/** The papers of one file, each with its buyer. */
export type Sheaf = readonly { readonly paper: Paper; readonly buyer: Buyer | null }[];
