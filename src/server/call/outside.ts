/** What a breaker shows of a provider. `since`: when it came into this state, or went away, epoch ms. */
export interface Breaker {
  readonly provider: string;
  readonly state: 'closed' | 'open' | 'half-open';
  /** While it is open: its machine answers again, which the next call will prove or not. */
  readonly isBack: boolean;
  readonly since: number;
  /** Why it counts as away: a code, a name or a status, never an address; null while it answers. */
  readonly failure: string | null;
}

export interface Question extends RequestInit {
  /** For the whole answer, ms. */
  readonly deadlineMs: number;
  /** Whether an error says nothing against the provider, where the address was not ours to choose. */
  readonly forgives?: (error: unknown) => boolean;
}

/**
 * Every call to somebody else's server goes through here. Who did not answer several calls in a row is left alone for a
 * while, so that nobody waits for it; then a single call tries whether it is back.
 */
export interface Outside {
  /**
   * Asks a provider. Its name stands in logs, in `/ready` and in metrics: one for each service that can be away by
   * itself. A status of 500 or more counts against it and is returned all the same.
   * @throws ProviderAway where it is left alone; whatever `fetch` throws otherwise
   */
  ask(provider: string, url: string | URL, question: Question): Promise<Response>;
  isAway(provider: string): boolean;
  /** All providers that this process has asked. */
  breakerStates(): readonly Breaker[];
}

/** The provider was not asked, or its failure has just made it count as away. Recognised by its name. */
export class ProviderAway extends Error {
  override readonly name = 'ProviderAway';
  /** When asking again makes sense, ms. */
  readonly retryInMs: number;
  constructor(provider: string, retryInMs: number, options?: ErrorOptions) {
    super(`${provider} does not answer`, options);
    this.retryInMs = retryInMs;
  }
}

/** The ProviderAway that an error is or was caused by; undefined for any other. */
export function awayIn(error: unknown): ProviderAway | undefined {
  for (let at = error as Error | undefined; at instanceof Error; at = at.cause as Error | undefined)
    if (at.name === 'ProviderAway') return at as ProviderAway;
  return undefined;
}
