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
  readonly amount: string;
}

export interface PaperSum extends Fact {
  /** What it is made of in small print, or a line that stands out. */
  readonly weight?: 'small' | 'strong';
}

/** Whom an invoice is made out to. It is kept apart from the paper: where no law wants it, it ends with the account. */
export interface Buyer {
  readonly name: string;
  readonly lines: readonly string[];
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
  readonly columns: Readonly<Record<'name' | 'code' | 'quantity' | 'price' | 'amount', string>>;
  readonly rows: readonly PaperRow[];
  readonly sums: readonly PaperSum[];
  readonly words: Fact;
  readonly paidTitle: string;
  readonly paid: readonly Fact[];
  readonly notes: readonly string[];
  /** With `page` and `pages` to be filled in: "Page {page} of {pages}". */
  readonly footer: string;
}
