-- Rows that unauthenticated clients create, by expiry. If there are more than some thousands, the oldest are deleted.
create index on access.oauth (model, expires_at) where model in ('Client', 'Interaction');
