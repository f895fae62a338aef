/**
 * The name of a dish, which is English on a page in any language (src/decisions/2026-11-28-names-of-dishes.md): a screen
 * reader says it in an English voice.
 */
export function DishName({ name }: { name: string }) {
  return <span lang="en">{name}</span>;
}
