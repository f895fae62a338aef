/** The build's files of `country/xx/logos` (src/build/pictures/logos.ts), by the id of a way to pay; none, unless a chain has put some there. */
declare const LOGOS: Readonly<Record<string, string>>;

export const hasLogo = (id: string): boolean => LOGOS[id] !== undefined;

/** A service's own picture. `name` is for where its name does not stand beside it. */
export function Logo({ id, name = '' }: { id: string; name?: string }) {
  const file = LOGOS[id];
  return file === undefined ? null : <img src={file} width={24} height={24} alt={name} />;
}
