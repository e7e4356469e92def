/** Customers of the demo business: the terms of its customer account, and return reasons. */
import { customerTerms } from '../../commands/customer-terms/decider.js';
import { returnReasons } from '../../commands/return-reasons/decider.js';
import type { Cause } from '../../commands/core/handle.js';
import { customerTermsStream } from '../../events/customer-terms/events.js';
import { returnReasonsStream, type ReturnReason } from '../../events/return-reasons/events.js';
import type { Service } from '../service.js';
import type { DemoUsers } from './people.js';
import { seeding } from './seeding.js';

const TAGS = ['wholesale'];
const REASON: ReturnReason = {
  code: 'too_late',
  labels: {
    en: 'Arrived too late',
    fr: 'Arrivé trop tard',
    de: 'Zu spät angekommen',
    es: 'Llegó demasiado tarde',
    'zh-Hans': '到货太晚',
    'zh-Hant': '到貨太晚',
  },
  needs_note: true,
  needs_photo: false,
  active: true,
  sort: 130,
};

/** Repeating it changes nothing. `cause` names the business. */
export async function seedCustomers(
  { engines }: Pick<Service, 'engines'>,
  { users, businessId: business }: { readonly users: DemoUsers; readonly businessId: number },
  cause: Cause,
): Promise<void> {
  const { handler, command } = seeding({ engines }, business);
  const { id } = users.customer;
  await handler(customerTerms)(
    customerTermsStream(id),
    {
      ...command('customer terms', id),
      do: 'set',
      families: [
        {
          family: 'label_service',
          rateCardId: null,
          markupPercent: null,
          hidden: false,
          paymentTerms: 'on_account',
          serviceCodes: null,
        },
      ],
      tags: TAGS,
    },
    cause,
  );
  await handler(returnReasons)(
    returnReasonsStream(business),
    { ...command('return reason', business), do: 'change', change: { set: REASON } },
    cause,
  );
}
