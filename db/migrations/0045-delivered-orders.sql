-- Orders by when they were delivered, for the hours at the ends of a range that is closed.
set local lock_timeout = '3s';

create index orders_completed on orders (completed_at) where completed_at is not null;
