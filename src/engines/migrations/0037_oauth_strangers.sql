-- What strangers make without anybody's leave, in the order in which it runs out: of all beyond some thousands the oldest go.
create index on access.oauth (model, expires_at) where model in ('Client', 'Interaction');
