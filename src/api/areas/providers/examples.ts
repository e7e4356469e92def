/** Example requests for provider settings. They work on a fresh demo when they are sent in this order. */
import type { Examples } from '../../core/example.js';

export const PROVIDER_EXAMPLES: Examples = {
  providerStatusMappingSet: {
    as: 'provider',
    body: {
      mapping: [
        { raw: 'PU', status_code: 'picked_up' },
        { raw: 'OD', status_code: 'out_for_delivery' },
        { raw: 'DL', status_code: 'delivered', note: 'Also left at a neighbour' },
      ],
    },
  },
  trackingProviderUpdate: {
    as: 'platform_admin',
    path: { tracking_provider_id: 'demo-carrier' },
    body: { network: 'upu' },
  },
  providerSettingsUpdate: { as: 'provider', body: { carrier_codes: 'fedex' } },
};
