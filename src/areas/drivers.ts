/** Drivers: their capacity, their day, their scans. */
import { DRIVER_EXAMPLES } from '../api/areas/drivers/examples.js';
import { DRIVER_MESSAGES } from '../api/areas/drivers/messages.js';
import { driverOperations } from '../api/areas/drivers/operations.js';
import { scanOperations } from '../api/areas/drivers/scanning.js';
import { DRIVER_EVENTS, DRIVER_PREFIX } from '../events/drivers/events.js';
import { workers } from '../projections/drivers/read-model.js';
import { accounts } from './accounts.js';
import { area } from './area.js';
import { contractors } from './contractors.js';
import { orders } from './orders.js';
import { routes } from './routes.js';
import { skills } from './skills.js';

export const drivers = area({
  name: 'drivers',
  examples: DRIVER_EXAMPLES,
  streams: [{ prefix: DRIVER_PREFIX, events: DRIVER_EVENTS, tenant: 'business' }],
  readModels: [workers],
  messages: DRIVER_MESSAGES,
  operations: (_services, { commands, of }) => [
    ...driverOperations({
      commands,
      routes: of(routes).queries,
      orders: of(orders).queries,
      planning: of(contractors).planning,
      accounts: of(accounts).queries,
      skills: of(skills).queries,
    }),
    ...scanOperations({ commands, orders: of(orders).queries }),
  ],
});
