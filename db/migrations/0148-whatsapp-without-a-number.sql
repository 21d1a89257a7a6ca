-- People whom WhatsApp names by a username only: their messages are kept for the owner, since they cannot be answered by number.
set local lock_timeout = '3s';
alter table whatsapp_messages
  alter column phone drop not null,
  drop constraint whatsapp_messages_kind_check,
  add constraint whatsapp_messages_kind_check check (kind in ('reply', 'delivered', 'refunded', 'test', 'unnumbered')) not valid,
  add constraint whatsapp_messages_unnumbered_check check ((kind = 'unnumbered') = (phone is null)) not valid;
alter table whatsapp_messages validate constraint whatsapp_messages_kind_check;
alter table whatsapp_messages validate constraint whatsapp_messages_unnumbered_check;
