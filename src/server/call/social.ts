/** A person whom a provider of accounts has confirmed. */
export interface SocialPerson {
  /** The provider's own id of the person: the only thing that decides who they are. */
  readonly subject: string;
  readonly firstName?: string | undefined;
  readonly lastName?: string | undefined;
  readonly email?: string | undefined;
  /** Whether the provider says that the address is theirs; without that it finds nobody and proves nothing. */
  readonly emailVerified?: boolean | undefined;
}

/** Where customers have an account besides ours, such as Google: OpenID Connect, code and PKCE. */
export interface SocialProvider {
  /** Its name in addresses and calls. */
  readonly source: string;
  /** Its name for people. */
  readonly label: string;
  /** What its subjects are told apart by from others': they are stored with it. */
  readonly vendor: string;
  /** The issuer that it names in tokens and in redirects back to us. */
  readonly issuer: string;
  /**
   * Where it asks the customer: an address, or a path of this server where it is imitated here.
   * @throws ProviderAway and what `fetch` throws
   */
  begin(asked: {
    readonly state: string;
    readonly nonce: string;
    readonly verifier: string;
    readonly redirectUri: string;
  }): Promise<string>;
  /**
   * Swaps a code for the person it stands for.
   * @param answer.now epoch ms of the shop's clock, which decides whether a token has expired
   * @throws NotVouched for whatever does not prove who somebody is; ProviderAway and what `fetch` throws
   */
  finish(answer: {
    readonly code: string;
    readonly nonce: string;
    readonly verifier: string;
    readonly redirectUri: string;
    readonly now: number;
  }): Promise<SocialPerson>;
}
