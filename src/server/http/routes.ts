import { addressRoutes } from '../routes/addresses.ts';
import { configRoutes } from '../routes/config.ts';
import type { SiteConfig } from '../routes/config.ts';
import { developmentRoutes } from '../routes/development.ts';
import { loginRoutes } from '../routes/login.ts';
import { sessionRoutes } from '../routes/session.ts';
import { embeddedVendors, vendorRoutes } from '../routes/vendors.ts';
import type { Runner } from '../rules/jobs.ts';
import type { RawRoute, Route } from './route.ts';

/** Every endpoint of the contract with its handler; a test fails when one is missing. */
export function allRoutes(site: SiteConfig, runner: () => Runner): Route[] {
  return [
    ...configRoutes(site), ...sessionRoutes, ...loginRoutes, ...vendorRoutes, ...addressRoutes,
    ...developmentRoutes(runner),
  ];
}

/** Paths outside the contract: embedded vendors, the bank's pages, providers' callbacks. */
export const rawRoutes: RawRoute[] = [
  ...embeddedVendors,
];
