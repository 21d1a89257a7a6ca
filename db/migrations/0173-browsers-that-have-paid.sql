-- At an address whose share of calls is used up, browsers that have paid before go on.
create index payments_paid_in_browser on payments (guest_browser) where guest_browser is not null and status = 'paid';
