-- How long the backup took to come back and be proved; null for those from before.
alter table restore_rehearsals add column took_ms integer check (took_ms >= 0);
