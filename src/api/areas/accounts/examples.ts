/** Examples for users, passwords and API keys. The bodies work on a fresh demo, in this order. */
import type { Examples } from '../../core/example.js';

export const ACCOUNT_EXAMPLES: Examples = {
  userCreate: {
    body: {
      email: 'grace@demo.example',
      password: 'correct horse battery staple',
      name: 'Grace Beispiel',
      role: 'employee',
    },
  },
  userLogin: { body: { email: 'grace@demo.example', password: 'correct horse battery staple' } },
  userUpdate: { path: { user_id: 2 }, body: { name: 'Emil Beispiel', phone: '+49 30 5550111' } },
  userPasswordReset: { path: { user_id: 4 }, body: { new_password: 'a new one for a colleague' } },
  mePasswordSet: {
    body: { current_password: 'correct horse battery staple', new_password: 'another horse battery staple' },
  },
  driverRegister: {
    body: {
      business_code: 'demo',
      email: 'dana@drivers.example',
      password: 'correct horse battery staple',
      name: 'Dana Fahrer',
      phone: '+49 30 5550112',
    },
  },
  apiKeyCreate: { body: { name: 'support agent', profile: 'support', expires_in_days: 90 } },
};
