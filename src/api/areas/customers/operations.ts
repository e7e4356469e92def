/** Customer accounts of a business, with their tags and terms. */
import { z } from 'zod';
import { ACCOUNT_STATUSES } from '../../../events/accounts/events.js';
import type { Customer, CustomerQueries } from '../../../projections/customers/queries.js';
import { businessOf } from '../../core/callers.js';
import { ApiError } from '../../core/errors.js';
import { idSchema } from '../../core/ids.js';
import { operation, type Operation } from '../../core/operation.js';
import { pageInput, pageOf, pageOutput, rangeOf } from '../../core/pages.js';
import type { Parts } from '../../core/parts.js';
import { RELATIONS } from '../../core/relations.js';
import { emailSchema } from '../accounts/sessions.js';
import { tagSchema } from '../customer-terms/shapes.js';

const READ = {
  area: 'Customer',
  callers: ['client_admin', 'employee'],
  scopes: ['accounts:read'],
  reads: ['accounts', 'customer_terms'],
} as const;

const customerSchema = z
  .object({
    id: z.int().describe('Id of the customer account: `customer_id` of orders.'),
    name: z.string().nullable(),
    email: z.string().nullable(),
    phone: z.string().nullable(),
    status: z.enum(ACCOUNT_STATUSES),
    tags: z.array(z.string()),
    created_at: z.string(),
  })
  .meta({ id: 'Customer' })
  .register(RELATIONS, { terms: { read: 'customerTerms', by: 'id' } });

/** Erased members are null. */
const toCustomer = ({
  id,
  name,
  email,
  phone,
  status,
  tags,
  created_at,
}: Customer): z.infer<typeof customerSchema> => ({
  id,
  name: name ?? null,
  email: email ?? null,
  phone: phone ?? null,
  status,
  tags: [...tags],
  created_at,
});

export interface CustomersOptions {
  readonly queries: CustomerQueries;
  readonly logins: Pick<Parts<'logins'>['logins'], 'accountsOf'>;
}

export const customerOperations = ({ queries, logins }: CustomersOptions): Operation[] => [
  operation({
    ...READ,
    name: 'customers',
    summary: 'List customers',
    description:
      'Returns the customer accounts of the business, sorted by id. All filters must match. `expand=terms` adds the terms of each customer.',
    rest: { method: 'get', path: '/v1/customers' },
    reads: [...READ.reads, 'customer_search'],
    input: z.object({
      status: z.enum(ACCOUNT_STATUSES).optional(),
      tag: tagSchema.optional(),
      email: emailSchema
        .optional()
        .describe('Return only the customer with exactly this e-mail address. Upper and lower case do not matter.'),
      query: z
        .string()
        .trim()
        .min(2)
        .max(100)
        .optional()
        .describe(
          'Words of the name in any order, or at least five digits of the phone number. A search word of three or more letters also matches parts of words.',
        ),
      ...pageInput,
    }),
    output: z.object({ ...pageOutput, customers: z.array(customerSchema) }),
    async run({ status, tag, email, query, ...page }, { caller }) {
      const ids = email === undefined ? undefined : await logins.accountsOf(email);
      const found = await queries.list(businessOf(caller), { status, tag, ids, query, ...rangeOf(page) });
      return { ...pageOf(page, found), customers: found.rows.map(toCustomer) };
    },
  }),
  operation({
    ...READ,
    name: 'customer',
    summary: 'Get a customer',
    description: '`expand=terms` adds the terms of the customer.',
    rest: { method: 'get', path: '/v1/customers/:customer_id' },
    answers: { 404: 'There is no such customer account.' },
    input: z.object({ customer_id: idSchema.describe('Id of the customer account.') }),
    output: z.object({ result: z.boolean(), customer: customerSchema }),
    async run({ customer_id }, { caller }) {
      const customer = await queries.byId(customer_id, businessOf(caller));
      if (!customer) throw new ApiError('CUSTOMER_NOT_FOUND');
      return { result: true, customer: toCustomer(customer) };
    },
  }),
];
