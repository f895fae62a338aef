import { countryConfig } from '../../../../country/index.ts';
import type { Call } from '../../call/call.ts';

/** Ways to log in beside the code by SMS, as the caller's country has them; inside a payment app there is none. */
export function otherLogins({ caller: { country, host }, services }: Pick<Call, 'caller' | 'services'>): {
  readonly password: boolean;
  readonly social: { readonly source: string; readonly label: string }[];
} {
  if (host !== 'web') return { password: false, social: [] };
  const { SHOW_LOAGIN_WITH_PASSWORD: password, socialLogin } = countryConfig(country);
  return { password, social: socialLogin ? services.social.map(({ source, label }) => ({ source, label })) : [] };
}
