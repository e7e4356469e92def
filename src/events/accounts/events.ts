/**
 * Events of a user account and of its API keys. Stream `account-<user id>`. Secrets, sessions and failed sign-ins are
 * not events.
 */
import { z } from 'zod';
import { eventType, personal } from '../core/event-types.js';

export const ACCOUNT_PREFIX = 'account-';
export const accountStream = (userId: number): string => `${ACCOUNT_PREFIX}${userId}`;
/** Key subject of the account's personal data; its erasure erases the person. */
export const accountSubject = (userId: number): string => `account-${userId}`;
/** Ids of the accounts among key subjects. */
export const accountIdsIn = (subjects: readonly string[]): number[] =>
  subjects.flatMap((subject) => /^account-(\d+)$/.exec(subject)?.[1] ?? []).map(Number);

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

/** `pending`: the user registered and awaits approval. */
export const ACCOUNT_STATUSES = ['active', 'pending', 'disabled'] as const;
export type AccountStatus = (typeof ACCOUNT_STATUSES)[number];

export const TOKEN_KINDS = ['login', 'api_key', 'oauth'] as const;
/** How a token was obtained. */
export type TokenKind = (typeof TOKEN_KINDS)[number];

const person = { email: personal(z.string()), name: personal(z.string()), phone: personal(z.string()) };

export const AccountOpened = eventType(
  'AccountOpened',
  z.object({
    user_id: z.int(),
    /** Absent for staff of the platform. */
    business_id: z.int().optional(),
    role: z.enum(USER_ROLES),
    status: z.enum(ACCOUNT_STATUSES),
    ...person,
  }),
);

/** Absent members are unchanged. */
export const AccountChanged = eventType('AccountChanged', z.object(person));
export const AccountEnabled = eventType('AccountEnabled', z.object({}));
export const AccountDisabled = eventType('AccountDisabled', z.object({}));
/** Changed by the user or by an admin. The password itself is not in the event. */
export const PasswordChanged = eventType('PasswordChanged', z.object({}));

export const ApiKeyCreated = eventType(
  'ApiKeyCreated',
  z.object({
    key_id: z.uuid(),
    /** Free text of its owner. */
    name: personal(z.string()),
    profile: z.string().optional(),
    scopes: z.array(z.string()),
    /** RFC 3339; absent: valid until it is revoked. */
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
