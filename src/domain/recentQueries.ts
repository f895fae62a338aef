/** As many letters as a search takes: a whole sentence. */
export const QUERY_MOST = 100;
const RECENT_SEARCHES = 3;
/** The recent searches with a new one in front: no duplicates, three at most (specification section 4). */
export function withSearch(recent: readonly string[], query: string): string[] {
  const text = query.trim().slice(0, QUERY_MOST);
  if (text.length < 2) return [...recent];
  return [text, ...recent.filter((one) => one.toLowerCase() !== text.toLowerCase())].slice(0, RECENT_SEARCHES);
}
