-- A supplier may still tell of an order that has gone on to another.
create index delivery_restarts_from_reference on delivery_restarts (from_reference);
