/** Runs at the end of the page of all paths that have no prerendered screen: to start again leads to the same path. */
import { late } from './loading/coming.ts';

late.querySelector<HTMLAnchorElement>('[data-leave]')!.href = location.href;
