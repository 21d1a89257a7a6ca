-- A code to a number that its account has confirmed: half of a day's messages are kept for these.
set local lock_timeout = '3s';
alter table sms_messages add column reserved boolean not null default false;

-- How many of a day were not sent, since the day's were used up.
alter table sms_days add column dropped integer not null default 0;
alter table mail_days add column dropped integer not null default 0;
alter table whatsapp_days add column dropped integer not null default 0;
