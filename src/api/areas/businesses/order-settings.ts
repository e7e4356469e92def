/** Settings of a business for its orders: uniqueness of references, and the sender on labels. */
import { z } from 'zod';
import { businessStream } from '../../../events/businesses/events.js';
import { withFormat } from '../../../events/core/format.js';
import { isCountry } from '../../../events/otep/countries.js';
import { derivedId } from '../../../events/otep/identity.js';
import { businessOf } from '../../core/callers.js';
import { operation, type Operation } from '../../core/operation.js';
import type { BusinessesOptions } from './operations.js';
import { settingsVersionSchema, versionByBusiness } from '../../core/versions.js';

const text = (max: number) => z.string().trim().min(1).max(max);
const unique = z.boolean().describe('Whether `order_ref` must be unique among orders that are not cancelled.');
const sender = z
  .strictObject({
    company: text(200),
    street: text(300),
    street_2: text(200).optional(),
    postal_code: text(20).optional(),
    city: text(200),
    region: text(200).optional(),
    country: withFormat(z.string().length(2).refine(isCountry), 'ISO 3166-1 alpha-2, such as DE').describe(
      'ISO 3166-1 alpha-2, such as DE.',
    ),
    phone: text(32)
      .regex(/^[+0-9 ().\/-]+$/)
      .optional(),
  })
  .meta({ id: 'LabelSender' })
  .nullable()
  .describe(
    'Sender address on labels of orders that have no sender address. Enter the address of a company, not of a person.',
  );
const settingsSchema = z
  .object({ unique_order_ref: unique, sender, version: settingsVersionSchema })
  .meta({ id: 'OrderSettings' });
const settingsOutput = z.object({ result: z.boolean(), order_settings: settingsSchema });
const COMMON = { area: 'Orders', versioned: versionByBusiness(businessStream) } as const;

export function orderSettings({ handle, accounts }: BusinessesOptions): Operation[] {
  const settingsOf = async (business: number) => {
    const row = await accounts.business(business);
    return {
      unique_order_ref: row?.unique_order_ref ?? false,
      sender: row?.sender ?? null,
      version: row?.revision ?? -1,
    };
  };

  return [
    operation({
      ...COMMON,
      name: 'orderSettings',
      summary: 'Get order rules and the sender on labels',
      rest: { method: 'get', path: '/v1/order-settings' },
      callers: ['client_admin', 'employee', 'auditor'],
      scopes: ['orders:read'],
      reads: ['businesses'],
      input: z.object({}),
      output: settingsOutput,
      run: async (_input, { caller }) => ({ result: true, order_settings: await settingsOf(businessOf(caller)) }),
    }),
    operation({
      ...COMMON,
      name: 'orderSettingsUpdate',
      summary: 'Update order rules and the sender on labels',
      description:
        'Omitted fields keep their values. Existing orders are not affected. The reference of a cancelled order can be used again.',
      rest: { method: 'patch', path: '/v1/order-settings' },
      callers: ['client_admin'],
      scopes: ['orders:write'],
      risk: 'medium',
      writes: true,
      awaits: ['businesses'],
      returns: { read: 'orderSettings' },
      input: z.object({ unique_order_ref: unique.optional(), sender: sender.optional() }),
      output: z.object({ result: z.boolean() }),
      async run(update, { caller, cause, commandId, wrote }) {
        const stream = businessStream(businessOf(caller));
        if (update.unique_order_ref !== undefined)
          wrote(
            (await handle(stream, { do: 'order_refs', commandId, unique: update.unique_order_ref }, cause)).position,
          );
        if (update.sender !== undefined)
          wrote(
            (
              await handle(
                stream,
                { do: 'sender', commandId: derivedId('sender', commandId), sender: update.sender },
                cause,
              )
            ).position,
          );
        return { result: true };
      },
    }),
  ];
}
