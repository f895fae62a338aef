/** What a screen's `enter` is called with: the route's parameters and the query of the address. */
export interface Entered { readonly params: Readonly<Record<string, string>>; readonly query: URLSearchParams }
