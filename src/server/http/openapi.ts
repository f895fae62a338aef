import { builds } from '../rules/hosts/hosts.ts';
import * as z from 'zod/mini';
import { keyUse, type Endpoint } from '../../contract/endpoint.ts';
import { FailedReply } from '../../contract/reply.ts';

type Json = Record<string, unknown>;
const NEEDS: Readonly<Record<Endpoint['access'], string>> = {
  open: 'Needs an api_key only.',
  session: 'Needs a session: a guest or a user.',
  user: 'Needs a logged-in user.',
  development: 'Outside production only.',
};

function schemaOf(schema: z.ZodMiniType, io: 'input' | 'output'): Json {
  const { $schema: _unused, ...rest } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    target: 'draft-2020-12',
  }) as Json;
  return rest;
}

const parameter = (
  name: string,
  where: 'path' | 'query' | 'header',
  required: boolean,
  schema: unknown,
  description?: string,
): Json => ({ name, in: where, required, schema, ...(description === undefined ? {} : { description }) });

function operation(endpoint: Endpoint, path: string, isAlias: boolean): Json {
  const parameters: Json[] = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) =>
    parameter(name!, 'path', true, { type: 'string' }),
  );
  if (endpoint.query !== undefined) {
    const query = schemaOf(endpoint.query, 'input') as { properties?: Record<string, unknown>; required?: string[] };
    for (const [name, schema] of Object.entries(query.properties ?? {}))
      parameters.push(parameter(name, 'query', query.required?.includes(name) ?? false, schema));
  }
  const use = keyUse(endpoint);
  if (use !== 'none')
    parameters.push(
      parameter(
        'Idempotency-Key',
        'header',
        use === 'needed',
        { type: 'string', maxLength: 255 },
        'Made once per thing the customer wants; its first answer is kept for 24 hours, and given again.',
      ),
    );
  const json = (schema: unknown) => ({ 'application/json': { schema } });
  const failed = {
    description: 'Refused; errors[0] says why.',
    content: json({ $ref: '#/components/schemas/Failed' }),
  };
  const security =
    endpoint.access === 'development'
      ? []
      : endpoint.access === 'open'
        ? [{ apiKey: [] }]
        : [{ apiKey: [], authToken: [], userId: [] }];
  return {
    summary: endpoint.about,
    description: [
      NEEDS[endpoint.access],
      endpoint.feature === null ? '' : `Feature: ${endpoint.feature}.`,
      isAlias ? 'Another path of the same call.' : '',
    ]
      .filter(Boolean)
      .join(' '),
    tags: [path.split('/')[1] ?? 'api'],
    parameters,
    security,
    ...(endpoint.body === undefined
      ? {}
      : { requestBody: { required: true, content: json(schemaOf(endpoint.body, 'input')) } }),
    responses: {
      200: {
        description: 'status is SUCCESS, unless the schema says otherwise.',
        content: endpoint.stream
          ? { 'text/event-stream': { schema: schemaOf(endpoint.reply, 'output') } }
          : endpoint.file !== undefined
            ? { [endpoint.file]: { schema: { type: 'string', format: 'binary' } } }
            : json(schemaOf(endpoint.reply, 'output')),
      },
      '4XX': failed,
      '5XX': failed,
    },
  };
}

/** The OpenAPI 3.1 document of every endpoint, with its aliases. It is generated from the contract. */
export function openApi(endpoints: readonly Endpoint[], origin: string): Json {
  const paths: Record<string, Json> = {};
  for (const endpoint of endpoints) {
    for (const [index, path] of [endpoint.path, ...(endpoint.aliases ?? [])].entries()) {
      (paths[path] ??= {})[endpoint.method.toLowerCase()] = operation(endpoint, path, index > 0);
    }
  }
  const header = (name: string, description: string) => ({ type: 'apiKey', in: 'header', name, description });
  return {
    openapi: '3.1.0',
    info: {
      title: 'Pizza ordering',
      version: '1.0.0',
      description: "All money is in minor units. All times are epoch milliseconds of the server's clock.",
    },
    servers: [{ url: origin }],
    paths,
    components: {
      schemas: { Failed: schemaOf(FailedReply, 'output') },
      securitySchemes: {
        apiKey: header(
          'api_key',
          `Tells country and host: ${builds()
            .map(({ key }) => key)
            .join(', ')}.`,
        ),
        authToken: header('authToken', 'Access token of the session, 15 minutes.'),
        userId: header('userId', 'The person the token belongs to.'),
      },
    },
  };
}
