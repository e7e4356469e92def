/** Members that an adapter defines: merged by RFC 7396, and rejected with their path. */
import { expect } from 'chai';
import { z } from 'zod';
import { checkedMembers, merged, needsCredentials } from '../../../src/api/areas/carrier-accounts/members.js';
import { createSheet } from '../../../src/engines/outside/carriers/sheet/adapter.js';
import type { CarrierServices } from '../../../src/engines/outside/carriers/services.js';
import type { ApiError } from '../../../src/api/core/errors.js';

const sheet = createSheet({} as CarrierServices);
const settings = { rate_card_id: 1, carrier_name: 'Vans', company_prefix: '4012345' };

function errorsOf(given: { readonly settings: object; readonly credentials: object }) {
  try {
    checkedMembers(sheet, given as Parameters<typeof checkedMembers>[1]);
    return [];
  } catch (error) {
    return (error as ApiError).errors.map(({ path, code }) => `${path} ${code}`);
  }
}

describe('members of an adapter', () => {
  it('are merged, and removed by null', () => {
    expect(merged({ a: 1, b: 2 }, { b: null, c: 3 })).to.deep.equal({ a: 1, c: 3 });
  });

  it('get their defaults', () => {
    expect(checkedMembers(sheet, { settings, credentials: {} }).settings).to.deep.equal({
      ...settings,
      extension_digit: '0',
      serial_from: 0,
    });
  });

  it('are rejected with a path', () => {
    expect(errorsOf({ settings: {}, credentials: {} })).to.deep.equal([
      '/settings/rate_card_id REQUIRED',
      '/settings/carrier_name REQUIRED',
      '/settings/company_prefix REQUIRED',
    ]);
    expect(errorsOf({ settings: { ...settings, prefix: '1' }, credentials: {} })).to.deep.equal([
      '/settings/prefix UNKNOWN_FIELD',
    ]);
    expect(errorsOf({ settings, credentials: { api_key: 'secret' } })).to.deep.equal([
      '/credentials/api_key UNKNOWN_FIELD',
    ]);
    expect(errorsOf({ settings: { ...settings, company_prefix: '40' }, credentials: {} })).to.deep.equal([
      '/settings/company_prefix INVALID_FORM',
    ]);
  });

  it('include credentials only if the adapter needs some', () => {
    expect(needsCredentials(sheet)).to.equal(false);
    expect(needsCredentials({ credentials: z.strictObject({ api_key: z.string() }) })).to.equal(true);
  });
});
