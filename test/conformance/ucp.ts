import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { openedShop } from '../server/shop.ts';
import { shownDocuments } from '../server/shownDocuments.ts';
import { connectedPlatform, deliveryTo, dishesOf } from '../server/ucpPlatform.ts';

interface Validate {
  (data: unknown): boolean;
  readonly errors?: readonly { readonly instancePath: string; readonly message?: string }[] | null;
}
interface Schemas {
  addSchema(schema: object): void;
  compile(schema: object): Validate;
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const file = path.join(folder, entry.name);
    return entry.isDirectory() ? filesIn(file) : file.endsWith('.json') ? [file] : [];
  });
}

/** All schemas of a copy. */
function schemasOf(copy: string, ajv: string): Schemas {
  const load = createRequire(import.meta.url);
  const { Ajv2020 } = load(path.join(ajv, 'dist/2020.js')) as { Ajv2020: new (options: object) => Schemas };
  const formats = load(path.join(ajv, '../ajv-formats')) as (own: Schemas) => void;
  const own = new Ajv2020({ strict: false, allErrors: true });
  formats(own);
  const source = path.join(copy, 'source');
  for (const file of filesIn(source)) {
    const schema = JSON.parse(readFileSync(file, 'utf8')) as object;
    // They refer to each other by where they lie, which not every id says.
    if ('$id' in schema) own.addSchema({ ...schema, $id: `https://ucp.dev/${path.relative(source, file)}` });
  }
  return own;
}

/**
 * What we answer to a platform against the schemas of a copy of the protocol: the profile, checkouts of both services on
 * their way, and an error. The food part is looked at where the copy has it.
 * @returns of each answer what is wrong with it
 */
export async function ucpFaults(copy: string, ajv: string): Promise<(readonly [what: string, faults: string[]])[]> {
  const schemas = schemasOf(copy, ajv);
  const { server, stop } = await openedShop();
  const own = await shownDocuments();
  const faults: (readonly [string, string[]])[] = [];
  const look = (what: string, ref: string, data: unknown) => {
    const validate = schemas.compile({ $ref: `https://ucp.dev/${ref}` });
    const isRight = validate(data);
    faults.push([
      what,
      isRight ? [] : (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`),
    ]);
  };
  try {
    const profile = (await (await fetch(`${server.url}/.well-known/ucp`)).json()) as object;
    // The version that stands; a copy of a draft has other schemas for shopping.
    const isOld = existsSync(path.join(copy, 'source/discovery/profile_schema.json'));
    if (isOld) look('profile', 'discovery/profile_schema.json#/$defs/business_profile', profile);
    const { ask } = await connectedPlatform(server, own);
    if (isOld) {
      const items = { line_items: [{ quantity: 3, item: { id: 'PZ001:L' } }] };
      const pickup = { fulfillment: { methods: [{ type: 'pickup', selected_destination_id: '10101' }] } };
      const bought = await ask('shopping', 'POST', '', { ...items, ...pickup, discounts: { codes: ['WELCOME50'] } });
      for (const extension of ['checkout.json', 'fulfillment.json#/$defs/dev.ucp.shopping.checkout'])
        look(`shopping ${extension}`, `schemas/shopping/${extension}`, bought.body);
      look('shopping discount', 'schemas/shopping/discount.json#/$defs/dev.ucp.shopping.checkout', bought.body);
      const brought = await ask('shopping', 'POST', '', {
        ...items,
        fulfillment: {
          methods: [
            {
              type: 'shipping',
              destinations: [{ id: 'd', street_address: '12, Barakhamba Road', address_locality: 'New Delhi' }],
            },
          ],
        },
      });
      look('shopping delivered', 'schemas/shopping/fulfillment.json#/$defs/dev.ucp.shopping.checkout', brought.body);
      const nowhere = await ask('shopping', 'POST', '', items);
      look('error', 'schemas/shopping/types/error_response.json', nowhere.body);
      const cancelled = await ask('shopping', 'POST', `/${bought.body.id}/cancel`);
      look('shopping canceled', 'schemas/shopping/checkout.json', cancelled.body);
    }
    if (existsSync(path.join(copy, 'source/schemas/food')))
      for (const [what, more] of [
        ['incomplete', {}],
        ['delivery', { ...deliveryTo('IN'), tip: { custom_amount: 1_000 } }],
        ['pickup', { fulfillment: { methods: [{ type: 'pickup' }] } }],
      ] as const) {
        const { body } = await ask('food', 'POST', '', { ...dishesOf('IN'), ...more });
        look(`food ${what}`, 'schemas/food/fulfillment.json#/$defs/dev.ucp.food.checkout', body);
      }
  } finally {
    own.close();
    await stop();
  }
  return faults;
}
