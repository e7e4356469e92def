/**
 * What happens to a user's account, and to its API keys. Stream `account-<user id>`. Secrets, sessions and failed
 * attempts are no events.
 */
import { z } from 'zod';
import { eventType, personal } from '../core/event-types.js';

export const ACCOUNT_PREFIX = 'account-';
export const accountStream = (userId: number): string => `${ACCOUNT_PREFIX}${userId}`;
/** Whose key the personal members of an account are under; erasing it erases the person. */
export const accountSubject = (userId: number): string => `account-${userId}`;

/** `broker` is a contractor. */
export const USER_ROLES = [
  'platform_admin',
  'client_admin',
  'employee',
  'broker',
  'driver',
  'customer',
  'auditor',
] as const;
export type UserRole = (typeof USER_ROLES)[number];

/** `pending`: registered itself, and waits to be let in. */
export const ACCOUNT_STATUSES = ['active', 'pending', 'disabled'] as const;
export type AccountStatus = (typeof ACCOUNT_STATUSES)[number];

export const TOKEN_KINDS = ['login', 'api_key', 'oauth'] as const;
/** How somebody came by a token. */
export type TokenKind = (typeof TOKEN_KINDS)[number];

const person = { email: personal(z.string()), name: personal(z.string()), phone: personal(z.string()) };

export const AccountOpened = eventType(
  'AccountOpened',
  z.object({
    user_id: z.int(),
    /** Absent for the platform's own people. */
    business_id: z.int().optional(),
    role: z.enum(USER_ROLES),
    status: z.enum(ACCOUNT_STATUSES),
    ...person,
  }),
);

/** Members that are absent stay as they were. */
export const AccountChanged = eventType('AccountChanged', z.object(person));
export const AccountEnabled = eventType('AccountEnabled', z.object({}));
export const AccountDisabled = eventType('AccountDisabled', z.object({}));
/** By the user, or by an admin; the password itself is nowhere. */
export const PasswordChanged = eventType('PasswordChanged', z.object({}));

export const ApiKeyCreated = eventType(
  'ApiKeyCreated',
  z.object({
    key_id: z.uuid(),
    /** What its owner calls it: free text. */
    name: personal(z.string()),
    profile: z.string().optional(),
    scopes: z.array(z.string()),
    /** RFC 3339; absent: until it is revoked. */
    expires_at: z.string().optional(),
  }),
);
export const ApiKeyRevoked = eventType('ApiKeyRevoked', z.object({ key_id: z.uuid() }));

export const ACCOUNT_EVENTS = [
  AccountOpened,
  AccountChanged,
  AccountEnabled,
  AccountDisabled,
  PasswordChanged,
  ApiKeyCreated,
  ApiKeyRevoked,
] as const;
