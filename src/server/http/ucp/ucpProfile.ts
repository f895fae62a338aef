import { countries } from '../../../../country/index.ts';
import { PROTOCOL, type UcpService } from './ucpService.ts';

// What the shop says of itself to platforms of the Universal Commerce Protocol. An origin has one profile, so it is that of
// the first country; each country has one below its own address, too.

export const ucpPath = (country: string, folder: string): string => `/ucp/${country.toLowerCase()}/${folder}`;
const WELL_KNOWN = '/.well-known/ucp';
export const profilesOf = (country: string): readonly string[] => [
  ...(country === countries[0]!.COUNTRY_CODE ? [WELL_KNOWN] : []),
  `/ucp/${country.toLowerCase()}${WELL_KNOWN}`,
];

/** The scope of the protocol for all operations of a checkout; our authorisation server takes it as `order` (grants.ts). */
const checkoutScope = (service: string): string => `${service}.checkout:manage`;

type ServiceDescription = Pick<UcpService, 'name' | 'folder' | 'version' | 'docs' | 'capabilities'>;

export function businessProfile(services: readonly ServiceDescription[], country: string, origin: string): object {
  const transports = ({ folder, version, docs }: ServiceDescription) => {
    const endpoint = origin + ucpPath(country, folder);
    const spec = `${docs}/specification/overview`;
    const schema = (file: string) => `${docs}/services/${folder}/${file}`;
    return [
      { version, spec, transport: 'rest', schema: schema('rest.openapi.json'), endpoint },
      { version, spec, transport: 'mcp', schema: schema('mcp.openrpc.json'), endpoint: `${endpoint}/mcp` },
    ];
  };
  const capabilities = services.flatMap(({ version, docs, capabilities: own }) =>
    Object.entries(own).map(([name, { spec, schema, extends: parent }]) => [
      name,
      [
        {
          version,
          spec: `${docs}/${spec}`,
          schema: `${docs}/${schema}`,
          ...(parent === undefined ? {} : { extends: parent }),
        },
      ],
    ]),
  );
  const docs = `https://ucp.dev/${PROTOCOL}`;
  return {
    ucp: {
      version: PROTOCOL,
      services: Object.fromEntries(services.map((service) => [service.name, transports(service)])),
      capabilities: {
        ...Object.fromEntries(capabilities),
        'dev.ucp.common.identity_linking': [
          {
            version: PROTOCOL,
            spec: `${docs}/specification/identity-linking`,
            schema: `${docs}/schemas/common/identity_linking.json`,
            config: { scopes: Object.fromEntries(services.map(({ name }) => [checkoutScope(name), {}])) },
          },
        ],
      },
      payment_handlers: {},
    },
  };
}
