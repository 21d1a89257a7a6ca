-- Whose number an order is for: a whole number is looked up, and only a part of one is searched for among the words.
set local lock_timeout = '3s';

create index orders_receiver on orders (receiver, seq desc);
