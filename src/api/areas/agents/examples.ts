/** Example of a webhook delivery with a valid signature. The body works on a fresh demo. */
import type { Examples } from '../../core/example.js';

export const AGENT_EXAMPLES: Examples = {
  webhookSignatureVerify: {
    body: {
      payload: '{"type":"order.created","data":{"order_id":16}}',
      webhook_id: 'msg_2KWPBgLlAfxdpx2AI54pPJ85f4W',
      webhook_timestamp: '1795500000',
      signature: 'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
      secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
    },
  },
};
