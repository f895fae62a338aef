/**
 * Where a link of a payment leads: a path is one of the server at `origin` ('' for the page's own), and a provider's page has an
 * address of its own ('https://...'), whatever the origin is. Anything else leads to the start of our own server.
 */
export function addressAt(origin: string, address: string): string {
  return /^https?:\/\//i.test(address) ? address : origin + (/^\/(?![/\\])/.test(address) ? address : '/');
}
