-- Staff decide about guests' refunds, guests read by message what became of them, and several codes of one refund work until one is used.
set local lock_timeout = '3s';

do $$
declare
  kinds text := (select pg_get_constraintdef(oid) from pg_constraint where conname = 'journal_entries_kind_check');
begin
  alter table journal_entries drop constraint journal_entries_kind_check;
  execute 'alter table journal_entries add constraint journal_entries_kind_check '
    || replace(kinds, '''refund-claimed''::text', '''refund-claimed''::text, ''refund-paid''::text');
end $$;

alter table refunds
  -- Paid from the shop's own phone: the network's transaction, which pays for one refund.
  add column hand_transaction_id text constraint refunds_paid_by_hand unique,
  add constraint refunds_by_hand check (hand_transaction_id is null or status = 'paid'),
  -- What the guest was told last. Refunds from before are not told again.
  add column told text,
  add column code_sent_at timestamptz,
  add column codes_sent integer not null default 0;
update refunds set told = status;
create index refunds_to_tell on refunds (seq) where status in ('accepted', 'paid', 'code') and told is distinct from status;
create index refunds_in_review on refunds (seq) where status in ('due', 'review');

alter table refund_codes drop constraint refund_codes_pkey, add primary key (hash), drop constraint refund_codes_hash_key;
create index refund_codes_of_refund on refund_codes (refund_id, shown_at);

alter table sms_messages
  add column refund_id uuid references refunds,
  drop constraint sms_messages_kind_check,
  drop constraint sms_messages_check,
  add constraint sms_messages_kind_check check (kind in ('order', 'completed', 'digest', 'rejected', 'reply', 'alarm', 'refund', 'refund-code')),
  add constraint sms_messages_check check ((order_id is null) = (kind in ('digest', 'reply', 'alarm', 'refund', 'refund-code'))),
  add constraint sms_messages_of_refund check ((refund_id is not null) = (kind in ('refund', 'refund-code')));
create index sms_messages_of_refunds on sms_messages (refund_id) where refund_id is not null;
