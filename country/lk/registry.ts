import { apiPaths } from '../paths.ts';
import { config } from './config.ts';

/** Calls of this country's builds; a blocked wallet has none. */
export const paths = apiPaths([...config.DISABLED_FEATURES, ...(config.IS_WALLET_BLOCKED ? ['wallet'] : [])]);
