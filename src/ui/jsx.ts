import type { ElementType, Key, ReactElement, ReactNode } from 'react';
import { Fragment, jsx as withOne, jsxs as withSeveral } from 'react/jsx-runtime';

/**
 * What JSX is compiled to here ("jsxImportSource"): React's own functions, with each text alone in an element. A text beside
 * other children would be a node that React keeps hold of. A browser's translation of the page puts its own in that
 * node's place: the next change is then lost, or ends in an error (2026-11-28-translated-pages.md).
 */
export { Fragment, jsx as jsxs };
export type { JSX } from 'react/jsx-runtime';

const isText = (child: ReactNode) => (typeof child === 'string' && child !== '') || typeof child === 'number';

/** Each text among several children is in an element of its own. */
export function jsx(type: ElementType, props: { children?: ReactNode }, key?: Key): ReactElement {
  if (!Array.isArray(props.children)) return withOne(type, props, key);
  props.children = (props.children as ReactNode[]).map((child) =>
    isText(child) ? withOne('text-run' as 'span', { children: child }) : child,
  );
  return withSeveral(type, props, key);
}
