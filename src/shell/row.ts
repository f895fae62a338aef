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
  /** The route does not exist where this feature is blocked. */
  readonly feature?: string;
  /** One of the prerendered screens: it may not call the server when it opens. */
  readonly isFirst?: boolean;
}
