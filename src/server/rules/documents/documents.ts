import type { Country } from '../../../../country/shape.ts';
import { countryName } from '../../../domain/countryName.ts';
import { writtenPhone } from '../../../domain/writtenPhone.ts';
import type { Document, DocumentId } from '../../../contract/documents.ts';
import { documents as t, formatMoney, languageAsked, translated } from '../../call/language.ts';
import type { Services } from '../../call/services.ts';
import { hourText } from '../pricing/price.ts';
import type { SeedLegal } from '../../store/seeds.ts';
import { CANCEL_SECONDS } from '../order/orders.ts';

type Section = Document['sections'][number];
const section = (heading: string, ...paragraphs: readonly string[]): Section => ({
  heading,
  paragraphs: [...paragraphs],
});

/** The company that is responsible, as the sentences of the reader's language need it. */
export const legalIn = (legal: SeedLegal): SeedLegal => ({ ...legal, ...translated({}, legal.said) });

/** What people call a currency: Indian rupees. */
const currencyName = (currency: string): string =>
  new Intl.NumberFormat(languageAsked(), { style: 'currency', currency, currencyDisplay: 'name' })
    .formatToParts(2)
    .find(({ type }) => type === 'currency')?.value ?? currency;

/** What a document says besides its country's law: days after which an order loses its customer. */
type Figures = Pick<Services, 'orderNamesDays'>;

function termsOf(country: Country, legal: SeedLegal): readonly Section[] {
  const { guarantee, appName: app } = country;
  const help = writtenPhone(country.HELP_DESK_NO, country);
  const { operator, address, licence, officer, email, authority } = legal;
  return [
    section(
      t.whoTitle,
      t.whoText({ app, operator, address, country: countryName(country.iso, languageAsked()) }),
      t.whoLicence({ licence }),
    ),
    section(t.orderTitle, t.orderText({ seconds: CANCEL_SECONDS }), t.orderStore),
    section(
      t.priceTitle,
      t.priceText({
        currency: currencyName(country.CURRENCY_CODE),
        tax: country.tax.name,
        included: country.tax.included ? 'yes' : 'other',
      }),
    ),
    section(t.payTitle, t.payText({ cash: formatMoney(country.cashLimit, country) })),
    section(
      t.promiseTitle,
      t.promiseText({
        minutes: guarantee.minutes,
        nightMinutes: guarantee.nightMinutes,
        nightFrom: hourText(guarantee.nightFrom),
        nightTo: hourText(guarantee.nightTo),
        limit: formatMoney(guarantee.maxLiability, country),
        bulk: guarantee.bulkFromPizzas,
      }),
    ),
    section(t.offersTitle, t.offersText),
    section(t.foodTitle, t.foodText),
    section(t.careTitle, t.careText({ help, officer, email, authority })),
    section(t.changeTitle, t.changeText),
  ];
}

function privacyOf(country: Country, legal: SeedLegal, { orderNamesDays: days }: Figures): readonly Section[] {
  const { officer, email, taxLaw, dataLaw, dataAuthority } = legal;
  return [
    section(t.holdTitle, t.holdOrder, t.holdDevice, t.holdPlace),
    section(t.whyTitle, t.whyText),
    section(t.withTitle, t.withText),
    section(t.longTitle, t.longText({ taxLaw }), t.longNames({ days })),
    section(
      t.rightsTitle,
      t.rightsText({ dataLaw, officer, email, help: writtenPhone(country.HELP_DESK_NO, country), dataAuthority }),
    ),
  ];
}

const creditsOf = (): readonly Section[] => [
  section(t.mapTitle, t.mapPlaces, t.mapPost, t.mapLand),
  section(t.softwareTitle, t.softwareText),
  section(t.picturesTitle, t.picturesText),
];

const MADE: Readonly<
  Record<
    DocumentId,
    {
      readonly title: () => string;
      readonly intro: (app: string) => string;
      readonly sections: (country: Country, legal: SeedLegal, figures: Figures) => readonly Section[];
    }
  >
> = {
  terms: { title: () => t.terms, intro: (app) => t.termsIntro({ app }), sections: termsOf },
  privacy: { title: () => t.privacy, intro: (app) => t.privacyIntro({ app }), sections: privacyOf },
  credits: { title: () => t.credits, intro: (app) => t.creditsIntro({ app }), sections: creditsOf },
};

/**
 * A document for this country, in the reader's language. Its numbers come from the configuration, so that the text
 * cannot promise anything else.
 */
export function documentOf(id: DocumentId, country: Country, legal: SeedLegal, figures: Figures): Document {
  const { title, intro, sections } = MADE[id];
  return {
    id,
    title: title(),
    intro: intro(country.appName),
    version: legal.version,
    sections: [...sections(country, legalIn(legal), figures)],
  };
}
