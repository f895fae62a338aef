/**
 * Settles like `promise`, but rejects if that takes longer than `ms`. The error's text (specification section 8) is for
 * developers; the caller decides what a customer reads.
 */
export function withTimeout<T>(promise: Promise<T>, ms: number): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('Async call timeout limit reached')), ms);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}
