import type { ComponentType } from 'react';
import type { WritableAtom } from 'jotai';
import type { CountryData } from '../../../country/shape.ts';
import type { ScreenInput } from '../../screens/base/entered.ts';

export type { ScreenInput };

/** What a screen's file exports. `enter` runs when its route opens and when its path changes. */
export interface ScreenModule {
  readonly default: ComponentType<{ readonly params: Readonly<Record<string, string>> }>;
  readonly enter?: WritableAtom<unknown, [ScreenInput], unknown> | undefined;
}

/** Loads what the first load leaves out: the routes of all other screens, and all of the country's data. */
export type Later = () => Promise<{ readonly routes: readonly RouteRow[]; readonly country: CountryData }>;

/**
 * A route. Those of the first load are in routes.ts beside this file, those of every host in shell/routes.ts, and those
 * of standalone pages in shell/routes.full.ts.
 */
export interface RouteRow {
  /** wouter pattern below the mount point. */
  readonly path: string;
  readonly load: () => Promise<ScreenModule>;
  /** The route does not exist where this feature is blocked. */
  readonly feature?: string;
  /** One of the prerendered screens: it may not call the server when it opens. */
  readonly isFirst?: boolean;
}
