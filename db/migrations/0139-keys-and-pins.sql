-- Whether the PIN was given when a key was made. One for which nobody gave it buys nothing once its owner's wallet asks for a PIN.
alter table api_keys add column pin_proven boolean not null default false;
