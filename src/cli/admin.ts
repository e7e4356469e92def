/** `npm run admin`: who may push, and to which shipments. */
import { grantTracking, ungrantTracking } from './admin/provider-grant.js';
import { revokeKeys, rotateKey } from './admin/provider-keys.js';
import { addProvider, listProviders } from './admin/provider.js';
import { runProgram } from './command.js';

await runProgram('admin', [addProvider, listProviders, rotateKey, revokeKeys, grantTracking, ungrantTracking]);
