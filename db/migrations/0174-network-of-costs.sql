-- The network of a cost, since the product that it was set for may go or change: a package's prices are measured by what it costs in any product.
set local lock_timeout = '3s';
alter table package_costs add column network text;
alter table package_costs disable trigger user;
update package_costs c set network = coalesce(
  (select p.network from products p where p.id = c.product_id),
  (select a.before ->> 'network' from admin_actions a
   where a.subject_type = 'product' and a.subject_id = c.product_id::text and a.action = 'product.delete' limit 1));
alter table package_costs enable trigger user;
create index package_costs_of_network on package_costs (network, offer, supplier);
