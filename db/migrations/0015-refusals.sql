-- A refusal that is remembered takes the numbers of its lines and their prices: everything else is in the request, which
-- is the same when the key comes again.
create index idempotency_keys_refused on idempotency_keys (user_id, created_at) where outcome ->> 'outcome' = 'refused';

-- No order stands under them, and none should be kept from doing so.
delete from idempotency_keys where key like 'order:%' and outcome ->> 'outcome' = 'refused';

-- A client may begin a payment by itself, under a reference of its own form; ours stay letters and digits.
alter table payments drop constraint payments_reference_check;
alter table payments add constraint payments_reference_check check (reference ~ '^[A-Za-z0-9.=-]{1,64}$');
