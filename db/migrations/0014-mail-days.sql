-- How many mails a day has used, counted before each is sent, as for messages to phones.
create table mail_days (
  day date primary key,
  used integer not null default 0,
  warned boolean not null default false,
  full_warned boolean not null default false
);
