import type { Environment, EnvironmentValues } from './shape.ts';

const SAME_ORIGIN: EnvironmentValues = { API_HOST: '', USER_ACTIVITY_TRACKING: 'false' };

/**
 * Settings of every environment. What a country does not set itself points at the embedded backend, with usage tracking
 * off (product.md section 4.2).
 */
export function environments(
  own: Partial<Record<Environment, Partial<EnvironmentValues>>> = {},
): Record<Environment, EnvironmentValues> {
  const of = (name: Environment) => ({ ...SAME_ORIGIN, ...own[name] });
  return {
    production: of('production'),
    beta: of('beta'),
    uat: of('uat'),
    stage: of('stage'),
    development: of('development'),
    local: of('local'),
    srilanka: of('srilanka'),
  };
}
