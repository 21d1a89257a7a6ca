-- Whether a customer wants text messages about their orders; no row for as the shop does it for everyone.
create table news_preferences (
  user_id uuid primary key references users,
  sms boolean not null,
  updated_at timestamptz not null
);

-- Messages to buyers about a refund, and about an answer to a report, of which an order may have several.
set local lock_timeout = '3s';
alter table sms_messages
  add column report_message_id bigint unique references report_messages,
  drop constraint sms_messages_kind_check,
  drop constraint sms_messages_check,
  add constraint sms_messages_kind_check check (kind in ('order', 'completed', 'digest', 'rejected', 'reply')),
  add constraint sms_messages_check check ((order_id is null) = (kind in ('digest', 'reply'))),
  add constraint sms_messages_of_report check ((report_message_id is not null) = (kind = 'reply'));
