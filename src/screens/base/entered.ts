/** What a screen's `enter` gets: the parameters of its route and the query of the address. */
export interface ScreenInput {
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
}
