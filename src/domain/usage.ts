/** Countries whose production may track usage (product.md C16): no file of data can let another country do it. */
const TRACKING_COUNTRY = 'BG';

/** What is read of a country (country/shape.ts). */
interface Tracking {
  readonly COUNTRY_CODE: string;
  readonly ENVIRONMENTS: { readonly production: { readonly USER_ACTIVITY_TRACKING: string } };
}

/** Whether a country's production environment tells page views of customers who agree to it (specification section 7). */
export const tracksUsage = ({ COUNTRY_CODE, ENVIRONMENTS: { production } }: Tracking): boolean =>
  COUNTRY_CODE === TRACKING_COUNTRY && production.USER_ACTIVITY_TRACKING === 'true';
