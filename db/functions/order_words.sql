-- Only what the lists of orders show. `buyer` is null in a buyer's own list, which shows neither their name nor their number.
create or replace function order_words(made orders, buyer users) returns text language sql stable as $$
  select concat_ws(' ', made.seq::text, buyer.username, buyer.phone, made.guest_phone, made.network, made.receiver, made.offer, made.reference,
    made.payment_reference, made.client_reference, to_char(made.created_at at time zone 'UTC', 'DD/MM/YYYY HH24:MI:SS'), shown_amount(made.price_pesewas),
    case when made.surcharge_pesewas > 0 then shown_amount(made.price_pesewas + made.surcharge_pesewas) end)
$$;
