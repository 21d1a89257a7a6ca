-- What a package costs the shop where its orders are delivered from: at a supplier, or by hand. A row is never changed; the newest
-- one that has begun is the cost now, so older ones are the history. A package is known by its product and offer, since its id
-- changes when its product is saved. No foreign key: a product may go, what it cost stays.
create table package_costs (
  id bigint generated always as identity primary key,
  product_id uuid not null,
  offer text not null,
  supplier text not null check (supplier ~ '^[a-z0-9][a-z0-9-]{1,39}$'),
  -- Null: from then on the cost is not known.
  cost_pesewas bigint constraint package_costs_more_than_nothing check (cost_pesewas > 0),
  valid_from timestamptz not null,
  set_by uuid references users (id)
);

create index package_costs_newest on package_costs (product_id, offer, supplier, valid_from desc, id desc);
