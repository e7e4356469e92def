/** `npm run admin`: who may push, and to which shipments; businesses and their first people; whom to forget. */
import { erase } from './admin/erase.js';
import { grantTracking, ungrantTracking } from './admin/provider-grant.js';
import { revokeKeys, rotateKey } from './admin/provider-keys.js';
import { addProvider, listProviders } from './admin/provider.js';
import { addBusiness, addUser, revokeUser, rotateUser } from './admin/user.js';
import { runProgram } from './command.js';

await runProgram('admin', [
  addProvider,
  listProviders,
  rotateKey,
  revokeKeys,
  grantTracking,
  ungrantTracking,
  addBusiness,
  addUser,
  rotateUser,
  revokeUser,
  erase,
]);
