/** Photos of returns belong to one order, also if simultaneous orders name the same photo. */
import { expect } from 'chai';
import { createReturns, type ReturnsOptions } from '../../../src/api/areas/return-reasons/returns.js';
import { SEED } from '../../../src/events/return-reasons/seed.js';

const PHOTO = '2cb3e24d-d4a5-40f8-aa87-a9f476f55682';
const INPUT = { return_reason: 'damaged', return_photo: PHOTO };

describe('the photo of a return', () => {
  it('stays with the first of two simultaneous orders', async () => {
    const stored = { purpose: 'photo', owner: 6, business: 1, subject: 'account-6', used_at: null as Date | null };
    const returns = createReturns({
      reasons: { usable: async (_business: number, code: string) => SEED.find((reason) => reason.code === code) },
      files: {
        find: async () => ({ ...stored }),
        use: async (_id: string, subject: string) => void Object.assign(stored, { subject, used_at: new Date() }),
      },
    } as unknown as ReturnsOptions);
    for (const orderId of [1, 2]) await returns.check(INPUT, { business: 1, userId: 6, orderId });
    for (const orderId of [1, 2]) await returns.keepPhoto(INPUT, orderId);
    expect(stored.subject).to.equal('order-1');
  });
});
