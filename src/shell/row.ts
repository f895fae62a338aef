import type { ComponentType } from 'react';
import type { WritableAtom } from 'jotai';
import type { Entered } from '../screens/entered.ts';

export type { Entered };

/** What a screen's file exports. `enter` runs whenever its route opens or its path changes. */
export interface ScreenModule {
  readonly default: ComponentType<{ readonly params: Readonly<Record<string, string>> }>;
  readonly enter?: WritableAtom<unknown, [Entered], unknown> | undefined;
}

/** A route is data: shell/routes.ts for every host, shell/routes.full.ts for standalone. */
export interface RouteRow {
  /** wouter pattern below the mount point. */
  readonly path: string;
  readonly load: () => Promise<ScreenModule>;
  /** Usage-tracking page name (specification section 2). */
  readonly page: string;
  /** Shown as the document's title where seo data has none. */
  readonly title: string;
  /** The route does not exist where this feature is blocked. */
  readonly feature?: string;
  /** Drawn without the frame's bottom bar. */
  readonly isBare?: boolean;
}
