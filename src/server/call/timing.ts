/** Settles like `work`. @throws an Error that says `sentence`, when the work takes longer than `ms`; it goes on, unheard */
export async function withTimeout<T>(work: Promise<T>, ms: number, sentence: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_done, fail) => {
    timer = setTimeout(() => fail(new Error(`${sentence} within ${ms} ms`)), ms).unref();
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
