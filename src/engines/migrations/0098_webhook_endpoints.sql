-- Endpoint of a webhook: the endpoint of its kind, or the default endpoint of its business, which several kinds share.
alter table webhooks.deliveries add column via_default boolean not null default false;
create index deliveries_pending on webhooks.deliveries (business, (case when via_default then 'default' else kind end), due_at) where state = 'pending';
-- Replaced by the new index.
drop index webhooks.deliveries_business_kind_due_at_idx;
