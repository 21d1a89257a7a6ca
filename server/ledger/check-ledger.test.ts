import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestShop, type TestShop } from '../../test/app.ts'
import { call, cartLine, checkout, makeUser } from '../../test/builders.ts'
import { openTestDatabase, type TestDatabase } from '../../test/database.ts'
import type { Db } from '../platform/db.ts'
import { checkLedger, countReconciliation, LEDGER_RULES } from './check-ledger.ts'
import { concernOf } from './invariants/invariants.ts'

/** What somebody with all rights on the database might do to the books, and the rule that must give it away. */
type Tampering = { rule: string; sql: string; names: RegExp }

const RECEIVED = `insert into received_payments (network, transaction_id, amount_pesewas, raw, source, received_by, received_at)
      select 'MTN', '51234567890', 5000, 'sms', 'message', id, now() from users where username = 'boss';`

/** The pending order becomes one of a shop: 10.50 at a cost of 9.50. */
const SHOP_OF_BOSS = `insert into agent_shops (owner_id, slug, name, colour, created_at) select id, 'boss', 'Boss', 'red', now() from users where username = 'boss';
  select create_shop_wallet(id) from agent_shops;
  update orders set shop_id = (select id from agent_shops), agent_profit_pesewas = 100 where status = 'pending';
  insert into profit_shares (order_id, shop_id, price_pesewas, cost_pesewas, floor_pesewas, ceiling_pesewas, sold_at)
    select id, shop_id, 1050, 950, 960, 1200, now() from orders where status = 'pending';`

/** The same order, sold by a sub-agent of a further shop: the sub-agent pays 9.50, the agent 9.00. */
const SUB_SHOP_OF_BOSS = `${SHOP_OF_BOSS}
  update orders set agent_profit_pesewas = 150 where status = 'pending';
  insert into agent_shops (owner_id, slug, name, colour, created_at) select id, 'ama', 'Ama', 'red', now() from users where username = 'ama';
  select create_shop_wallet(id) from agent_shops where slug = 'ama';
  insert into commissions (order_id, shop_id, sold_in, price_pesewas, cost_pesewas, floor_pesewas, sold_at)
    select s.order_id, a.id, s.shop_id, 950, 900, 910, now() from profit_shares s, agent_shops a where a.slug = 'ama';`

/** One checker in the stock, at 15 cedis, as the shop imports it. */
const CHECKERS = `with made as (
    insert into checker_imports (kind, distributor, unit_cost_pesewas, codes, imported_at) values ('bece', 'Kwame', 1500, 1, now()) returning id
  ), kept as (
    insert into checker_codes (import_id, kind, serial_hash, sealed, tail, unit_cost_pesewas) select id, 'bece', 'one', 'sealed', '0001', 1500 from made
  ) select post_entry('checker-import:' || id, 'checker-import', '', null, array[21, 12], array[-1500, 1500], now()) from made;`

/** Makes the rejected order one that was paid by card. */
const REFUNDED_BY_CARD = `insert into payments (reference, user_id, purpose, lines, price_pesewas, surcharge_pesewas, status, received_pesewas, created_at, settled_at)
    select repeat('p', 20), id, 'order', '[]', 550, 0, 'paid', 550, now(), now() from users where username = 'ama';
  update orders set paid_with = 'card', payment_reference = repeat('p', 20) where status = 'rejected';`

/** Past every guard: neither triggers nor foreign keys are asked. */
const AS_OWNER = 'set local session_replication_role = replica; '

const CASES: Record<string, Tampering> = {
  'a posting of an entry was changed': {
    rule: 'the postings of an entry sum to zero, and there are two or more',
    sql: `update postings set amount_pesewas = amount_pesewas + 1 where account_id = 6 and entry_id = (select min(entry_id) from postings)`,
    names: /^entry 1 \(admin-credit:.*2 postings, sum 1$/,
  },
  'an entry lost its postings': {
    rule: 'the postings of an entry sum to zero, and there are two or more',
    sql: `delete from postings where entry_id = 1`,
    names: /^entry 1 \(admin-credit:.*0 postings, sum 0$/,
  },
  'a posting without an entry was put in': {
    rule: 'all postings sum to zero',
    sql: `insert into postings (entry_id, line, account_id, amount_pesewas) values (999999, 1, 1, 500)`,
    names: /^all postings: sum 500$/,
  },
  'a balance was raised without a posting': {
    rule: "a wallet's balance is the sum of its postings",
    sql: `update wallets w set balance_pesewas = balance_pesewas + 100000 from users u where u.id = w.user_id and u.username = 'ama'`,
    names: /^wallet of ama \(account \d+\): balance 103950, postings 3950$/,
  },
  'a wallet was pushed below zero': {
    rule: 'no wallet is below zero',
    sql: `alter table wallets drop constraint wallet_not_below_zero;
      update wallets w set balance_pesewas = -1 from users u where u.id = w.user_id and u.username = 'ama'`,
    names: /^account \d+: balance -1$/,
  },
  'a line of a statement was changed': {
    rule: "a wallet's statement adds up line by line",
    sql: `update postings set balance_after_pesewas = balance_after_pesewas + 7 where entry_id = 2 and account_id >= 1000`,
    names: /^entry 2, account \d+: balance after 4457, expected 4450$/,
  },
  'the price of a paid order was changed': {
    rule: 'every order was paid once, exactly its price',
    sql: `update orders set price_pesewas = 1 where status = 'pending'`,
    names: /^order [0-9a-f-]{36}: price 1, paid 1050$/,
  },
  'an order appeared that nobody paid': {
    rule: 'every order was paid once, exactly its price',
    sql: `insert into orders (user_id, product_id, network, offer, image_hash, level, receiver, price_pesewas, paid_with, reference, created_at)
      select user_id, product_id, network, offer, image_hash, level, receiver, price_pesewas, paid_with, new_reference(), created_at
      from orders where status = 'pending'`,
    names: /^order [0-9a-f-]{36}: price 1050, paid nothing$/,
  },
  'a paid order was deleted': {
    rule: 'every purchase entry has its order',
    sql: `delete from orders where status = 'pending'`,
    names: /^entry 3 \(order:[0-9a-f-]{36}\): no such order$/,
  },
  'a rejected order was marked completed, and its refund kept': {
    rule: 'a rejected order was refunded once in full, no other order was',
    sql: `update orders set status = 'completed' where status = 'rejected'`,
    names: /^order [0-9a-f-]{36}: completed, paid 550, refunded 550$/,
  },
  'an order was marked rejected without a refund': {
    rule: 'a rejected order was refunded once in full, no other order was',
    sql: `update orders set status = 'rejected', decided_at = now() where status = 'pending'`,
    names: /^order [0-9a-f-]{36}: rejected, paid 1050, refunded nothing$/,
  },
  'a recharge was booked that nobody asked for': {
    rule: 'every recharge in the books has its record',
    sql: `select post_entry('recharge:' || gen_random_uuid(), 'recharge', '', null, array[account_id, 4], array[9000, -9000], now())
      from wallets where total_purchase_pesewas > 0`,
    names: /^entry \d+ \(recharge:[0-9a-f-]{36}\): no such record$/,
  },
  'a recharge was marked approved without a credit': {
    rule: 'an approved recharge was credited once with what came in, no other recharge was',
    sql: `insert into recharges (recharge_id, user_id, amount_pesewas, status, created_at, decided_at)
      select '12345678', id, 5000, 'approved', now(), now() from users where username = 'ama'`,
    names: /^recharge 12345678: approved, asked 5000, credited nothing$/,
  },
  'a declined recharge was credited': {
    rule: 'an approved recharge was credited once with what came in, no other recharge was',
    sql: `insert into recharges (recharge_id, user_id, amount_pesewas, status, created_at, decided_at)
      select '12345678', id, 5000, 'declined', now(), now() from users where username = 'ama';
      select post_entry('recharge:' || r.id, 'recharge', '', null, array[account_id, 4], array[5000, -5000], now())
      from recharges r join wallets using (user_id)`,
    names: /^recharge 12345678: declined, asked 5000, credited 5000$/,
  },
  'a received payment was credited in its record only': {
    rule: 'a received payment was credited with what came in',
    sql: `${RECEIVED} insert into payment_credits (payment_id, amount_pesewas, user_id, entry_key, credited_at, credited_by)
      select p.id, 5000, u.id, 'momo:MTN:51234567890', now(), u.id from received_payments p, users u where u.username = 'ama';
      update received_payments set status = 'credited'`,
    names: /^payment MTN 51234567890: came in 5000, credited nothing$/,
  },
  'a received payment was taken back in its record only': {
    rule: 'a credit that was taken back was debited once, no other was',
    sql: `${RECEIVED} insert into payment_credits (payment_id, amount_pesewas, user_id, entry_key, credited_at, credited_by, taken_back_at, taken_back_by)
      select p.id, 5000, u.id, 'momo:MTN:51234567890', now(), u.id, now(), u.id from received_payments p, users u where u.username = 'ama';
      select post_entry('momo:MTN:51234567890', 'admin-credit', '', null, array[account_id, 4], array[5000, -5000], now())
      from wallets w join users u on u.id = w.user_id where u.username = 'ama'`,
    names: /^payment MTN 51234567890: taken back, debited nothing$/,
  },
  'a received payment was booked that nobody read': {
    rule: 'every credit of a received payment has its record',
    sql: `select post_entry('momo:MTN:51234567890', 'admin-credit', '', null, array[account_id, 4], array[5000, -5000], now())
      from wallets where total_purchase_pesewas > 0`,
    names: /^entry \d+ \(momo:MTN:51234567890\): no such record$/,
  },
  'a received payment was marked credited': {
    rule: 'a received payment is credited exactly while one customer has it',
    sql: `${RECEIVED} update received_payments set status = 'credited'`,
    names: /^payment MTN 51234567890: it is credited$/,
  },
  'a card payment was marked paid without a booking': {
    rule: 'what a card paid was booked once in full',
    sql: `insert into payments (reference, user_id, purpose, price_pesewas, surcharge_pesewas, status, received_pesewas, created_at, settled_at)
      select repeat('p', 20), id, 'agent-upgrade', 5000, 150, 'paid', 5150, now(), now() from users where username = 'ama'`,
    names: /^payment p{20}: paid, received 5150, booked 0$/,
  },
  'the kept balance of a house account was changed': {
    rule: "a house account's kept balance is the sum of its postings",
    sql: `insert into account_deltas (account_id, pesewas) values (1, 77)`,
    names: /^account sales: kept 77, postings 0$/,
  },
  'the kept days of a house account were changed': {
    rule: "a house account's kept days are those of its postings",
    sql: `insert into account_deltas (account_id, pesewas, day, kind) values (6, 0, '2026-11-21', 'order')`,
    names: /^2026-11-21 account 6 order: kept 0 in 1, postings 0 in 0$/,
  },
  'the figures of a closed range are not those of the ledger': {
    rule: 'a closed range equals the ledger',
    sql: `insert into day_closes (from_at, until_at, opening_pesewas, closing_pesewas, sheet, counted, signed_by, signed_at)
      select '2026-11-20T00:00:00Z', '2026-11-20T20:30:00Z', 0, 40, '{}', '[]', id, now() from users where username = 'boss'`,
    names: /^close 1: opened with 0 and closed with 40, the ledger has 0 and 0$/,
  },
  'the kept counts of orders were changed': {
    rule: 'the kept counts of orders are those of the orders',
    sql: `update order_deltas set orders = orders + 1 where status = 'pending' and orders > 0 and pesewas = 1050`,
    names: /^2026-11-21 MTN pending: kept 2 worth 1050, orders 1 worth 1050$/,
  },
  'the count of a stretch of orders was changed': {
    rule: 'the counts of a stretch of orders are those of its blocks',
    sql: `insert into order_stretches values (1, 'MTN', 'pending', 3)`,
    names: /^stretch 1 MTN pending: kept 3, its blocks 0$/,
  },
  'a total purchase was raised': {
    rule: "a wallet's total purchase is the sum of its orders that were not rejected",
    sql: `update wallets set total_purchase_pesewas = total_purchase_pesewas + 1 where total_purchase_pesewas > 0`,
    names: /^wallet of ama: kept 1051, orders 1050$/,
  },
  'a card payment was booked that was never begun': {
    rule: 'every card payment in the books has its record',
    sql: `select post_entry('card-payment:' || repeat('q', 20), 'card-payment', '', null, array[account_id, 5], array[9000, -9000], now())
      from wallets where total_purchase_pesewas > 0`,
    names: /^entry \d+ \(card-payment:q{20}\): no such record$/,
  },
  'a card payment was marked paid, and its orders are not there': {
    rule: 'a paid card payment has the orders that it was for, no other has any',
    sql: `insert into payments (reference, user_id, purpose, lines, price_pesewas, surcharge_pesewas, status, received_pesewas, created_at, settled_at)
      select repeat('p', 20), id, 'order', '[{}]', 5000, 150, 'paid', 5150, now(), now() from users where username = 'ama'`,
    names: /^payment p{20}: paid, for 5000, orders worth 0$/,
  },
  'an order stands under a card payment that was not paid': {
    rule: 'a paid card payment has the orders that it was for, no other has any',
    sql: `update orders set paid_with = 'card', payment_reference = repeat('p', 20) where status = 'pending'`,
    names: /^payment p{20}: unknown, for 0, orders worth 1050$/,
  },
  'a surcharge was kept that no order bears': {
    rule: 'the surcharge of a card payment is that of its orders, and is booked as such',
    sql: `insert into payments (reference, user_id, purpose, lines, price_pesewas, surcharge_pesewas, status, received_pesewas, created_at, settled_at)
      select repeat('p', 20), id, 'order', '[{}]', 5000, 150, 'paid', 5150, now(), now() from users where username = 'ama'`,
    names: /^payment p{20}: surcharge 150, its orders 0, booked 0$/,
  },
  'a refund at the card provider was noted and not booked': {
    rule: 'what went back at the card provider was booked once, and no more than its payment brought in',
    sql: `insert into card_refunds (provider_id, reference, amount_pesewas, currency, status, heard_at, updated_at, booked_pesewas)
      values ('R1', repeat('p', 20), 100, 'GHS', 'processed', now(), now(), 100)`,
    names: /^refund R1: processed over 100, noted 100, booked 0$/,
  },
  'a loss was booked that no payment has': {
    rule: 'what a payment gave back is that of its disputes and refunds, and its loss is in the books',
    sql: `select post_entry('admin-debit:x', 'admin-debit', '', null, array[17, 6], array[-40, 40], now())`,
    names: /^account dispute-losses: holds -40, payments lost 0$/,
  },
  'an effect of a payment was undone that is not lost': {
    rule: 'of what a payment caused as much is undone as of the payment is lost, and is booked',
    sql: `insert into payments (reference, user_id, purpose, price_pesewas, surcharge_pesewas, status, received_pesewas, created_at, settled_at)
        select repeat('p', 20), id, 'agent-upgrade', 5000, 0, 'paid', 5000, now(), now() from users where username = 'ama';
      insert into undone_effects values (repeat('p', 20), 'upgrade', null, 5000, 40, 1, now())`,
    names: /^payment p{20}: upgrade: lost 0, undone 40 of 5000, booked 0$/,
  },
  'money was left in passing': {
    rule: 'the accounts for money in passing are at zero',
    sql: `select post_entry('admin-debit:x', 'admin-debit', '', null, array[7, 6], array[40, -40], now())`,
    names: /^account payments-held: holds 40$/,
  },
  'a guest’s money was left in passing': {
    rule: 'the accounts for money in passing are at zero',
    sql: `select post_entry('admin-debit:x', 'admin-debit', '', null, array[9, 6], array[40, -40], now())`,
    names: /^account guest-payments: holds 40$/,
  },
  'an order in a shop was sold below cost': {
    rule: "an order in an agent's shop has its price within the bounds of its moment, and the agent's part is the rest of it",
    sql: `${SHOP_OF_BOSS} update orders set price_pesewas = 400 where status = 'pending'`,
    names: /^order [0-9a-f-]{36}: price 400, agent's 100, noted 1050 at 950, 960 to 1200$/,
  },
  'an order in a shop lost the note of its cost': {
    rule: "an order in an agent's shop has its cost noted",
    sql: `${SHOP_OF_BOSS} delete from profit_shares`,
    names: /^order [0-9a-f-]{36}: price 1050, no cost noted$/,
  },
  'the agent’s part of a sub-agent’s order was lost': {
    rule: "an order in an agent's shop has its price within the bounds of its moment, and the agent's part is the rest of it",
    sql: `${SUB_SHOP_OF_BOSS} delete from commissions`,
    names: /^order [0-9a-f-]{36}: price 1050, agent's 150, noted 1050 at 950, 960 to 1200$/,
  },
  'a sub-agent’s order cost them another sum than their agent got': {
    rule: "an order in a sub-agent's shop costs the sub-agent what their agent asked, above the agent's own cost",
    sql: `${SUB_SHOP_OF_BOSS} update commissions set price_pesewas = 940`,
    names: /^order [0-9a-f-]{36}: the sub-agent paid 950, noted 940 at 900, from 910$/,
  },
  'the agent’s part of a sub-agent’s order was released before the delivery': {
    rule: "an agent's profit was released exactly for what was delivered, and taken back exactly for what was refunded after it",
    sql: `${SUB_SHOP_OF_BOSS} update commissions set released_at = now()`,
    names: /^order [0-9a-f-]{36}: pending, profit 150, released 0, taken back 0$/,
  },
  'the agent got the sub-agent’s part': {
    rule: "of an order in a sub-agent's shop each has their own part: the sub-agent and the agent",
    sql: `${SUB_SHOP_OF_BOSS} select post_entry('delivery:' || c.order_id, 'delivery', '', null, array[1, w.account_id], array[-150, 150], now())
      from commissions c join wallets w on w.shop_id = c.shop_id`,
    names: /^order [0-9a-f-]{36}: profit 50 less 0 repaid, released 150, taken back 0$/,
  },
  'a profit was released before the delivery': {
    rule: "an agent's profit was released exactly for what was delivered, and taken back exactly for what was refunded after it",
    sql: `${SHOP_OF_BOSS} select post_entry('delivery:' || o.id, 'delivery', '', null, array[1, w.account_id], array[-100, 100], now())
      from orders o join wallets w using (shop_id)`,
    names: /^order [0-9a-f-]{36}: pending, profit 100, released 100, taken back 0$/,
  },
  'a debt was forgiven without an entry': {
    rule: "what agents owe is the sum of their shops' debts",
    sql: `${SHOP_OF_BOSS} select post_entry('admin-debit:x', 'admin-debit', '', null, array[19, 6], array[-40, 40], now())`,
    names: /^account agent-debts: has -40, shops owe 0$/,
  },
  'a guest’s payment went to an agent': {
    rule: "no payment came into an agent's earnings",
    sql: `${SHOP_OF_BOSS} select post_entry('card-payment:x', 'card-payment', '', null, array[5, account_id], array[-40, 40], now())
      from wallets where shop_id is not null`,
    names: /^entry \d+ \(card-payment:x\): card-payment of 40 in a shop's earnings$/,
  },
  'a surcharge was booked for a payment that has none': {
    rule: 'every surcharge in the books is that of a card payment',
    sql: `insert into payments (reference, user_id, purpose, price_pesewas, surcharge_pesewas, status, received_pesewas, created_at, settled_at)
        select repeat('p', 20), id, 'agent-upgrade', 5000, 0, 'paid', 5000, now(), now() from users where username = 'ama';
      select post_entry('card-surcharge:' || repeat('p', 20), 'card-surcharge', '', null, array[account_id, 2], array[-40, 40], now())
        from wallets where total_purchase_pesewas > 0`,
    names: /^entry \d+ \(card-surcharge:p{20}\): card-surcharge, surcharge 40$/,
  },
  'the surcharge of a top-up went into the wallet': {
    rule: 'the surcharge of a card payment is that of its orders, and is booked as such',
    sql: topUp('topped_up_pesewas = 5150', 'array[account_id, 5], array[5150, -5150]'),
    names: /^payment p{20}: surcharge 150, its orders 0, booked 0$/,
  },
  'a top-up was credited with more than came': {
    rule: 'a settled top-up put into the wallet what was received without the surcharge',
    sql: topUp('topped_up_pesewas = 5000', 'array[account_id, 5, 2, 6], array[6000, -5150, 150, -1000]'),
    names: /^payment p{20}: received 5150, topped up 5000, booked 6000$/,
  },
  'a top-up was marked paid, and what it was to buy is not there': {
    rule: 'a paid top-up has the orders that it was to buy, no other has any',
    sql: topUp(`topped_up_pesewas = 5000, lines = '[{}]'`, 'array[account_id, 5, 2], array[5000, -5150, 150]'),
    names: /^payment p{20}: top-up paid, for 1 lines, orders 0$/,
  },
  'an order stands under a top-up that bought nothing': {
    rule: 'a paid top-up has the orders that it was to buy, no other has any',
    sql: `${topUp('topped_up_pesewas = 5000', 'array[account_id, 5, 2], array[5000, -5150, 150]')};
      update orders set top_up_reference = repeat('p', 20) where status = 'pending'`,
    names: /^payment p{20}: top-up paid, for 0 lines, orders 1$/,
  },
  'money was put on hold that no top-up has there': {
    rule: 'the account for top-ups on hold has what their payers cannot spend yet',
    sql: `select post_entry('admin-debit:x', 'admin-debit', '', null, array[18, 6], array[40, -40], now())`,
    names: /^account top-ups-on-hold: has 40, on hold 0$/,
  },
  'money was put among card payments unspent that no payment has there': {
    rule: 'the account for card payments unspent has what waits for further orders',
    sql: `select post_entry('admin-debit:x', 'admin-debit', '', null, array[24, 6], array[40, -40], now())`,
    names: /^account card-payments-unspent: has 40, unspent 0$/,
  },
  'money was kept out of a wallet that no dispute keeps there': {
    rule: 'the account for disputed money has what is kept out of wallets',
    sql: `select post_entry('card-payment:kept', 'card-payment', '', null, array[6, 25], array[-40, 40], now())`,
    names: /^account disputed-money: has 40, kept out of wallets 0$/,
  },
  'money was put among reservations that no wallet has there': {
    rule: 'the account for reservations has what is set aside of the wallets',
    sql: `select post_entry('admin-debit:x', 'admin-debit', '', null, array[23, 6], array[40, -40], now())`,
    names: /^account reservations: has 40, set aside 0$/,
  },
  'more was set aside of a wallet than was taken out of it': {
    rule: 'what is set aside of a wallet is what it has not got back',
    sql: `select post_entry('reservation:x', 'reservation', '', null, array[account_id, 23], array[-300, 300], now()) from wallets where total_purchase_pesewas > 0;
      update wallets set reserved_pesewas = 310, reserved_until = now() where total_purchase_pesewas > 0`,
    names: /^account \d+: set aside 310, booked 300$/,
  },
  'an order was decided and nobody said so': {
    rule: 'a decided order has one recorded decision, the one that it shows; a pending order has none',
    sql: `delete from admin_actions`,
    names: /^order [0-9a-f-]{36}: rejected, recorded nothing$/,
  },
  'an order was decided twice': {
    rule: 'a decided order has one recorded decision, the one that it shows; a pending order has none',
    sql: `insert into admin_actions (action, subject_type, subject_id, created_at) select 'order.completed', 'order', id, now() from orders where status = 'rejected'`,
    names: /^order [0-9a-f-]{36}: rejected, recorded order.rejected, order.completed$/,
  },
  'an order was sent to a supplier under another reference': {
    rule: 'a delivery stands under the reference of its order, and nothing was sent that was not noted',
    sql: `insert into supplier_deliveries (order_id, reference, supplier, volume_mb, created_at, updated_at)
      select id, repeat('z', 20), 'hubnet', 1000, now(), now() from orders where status = 'pending'`,
    names: /^order [0-9a-f-]{36}: waiting after 0 calls, under z{20}, the order has \w{20}$/,
  },
  'an acknowledged order is gone': {
    rule: 'the orders of every acknowledged purchase are there',
    sql: `delete from orders where status = 'pending'`,
    names: /^order [0-9a-f-]{36}: acknowledged at 1050, now gone$/,
  },
  'a refused purchase made an order': {
    rule: 'no order stands under a key that was refused',
    sql: `update orders set paid_with = 'card', payment_reference = 'seventyseven' where status = 'pending';
      insert into idempotency_keys (user_id, key, request_hash, outcome, created_at)
      select user_id, 'payment:seventyseven', '', '{"outcome": "refused", "code": "NOT_AVAILABLE"}', created_at from orders where status = 'pending'`,
    names: /^order [0-9a-f-]{36}: refused as NOT_AVAILABLE under payment:seventyseven$/,
  },
  'an old order never left the outbox': {
    rule: 'an order is passed on before those that come much later, and no order twice',
    sql: `delete from order_outbox;
      update orders set created_at = created_at - interval '2 days' where status = 'rejected';
      insert into order_outbox select id from orders where status = 'rejected'`,
    names: /^order [0-9a-f-]{36}: left behind since 2026-11-19 12:00:00$/,
  },
  'an entry in the hash chain was changed so that it still balances': {
    rule: 'the hash chain over the ledger holds',
    sql: `insert into ledger_seals select 4, 1, made.entries, made.seal, '2026-11-21T12:00:00Z' from seal_entries('', 1, 4) made;
      update journal_entries set memo = 'Gift' where id = 2`,
    names: /^entries 1 to 4: 4 chained at 2026-11-21 12:00:00, now 4, and not the same$/,
  },
  'money of the first entry of a link of the hash chain went elsewhere': {
    rule: 'the hash chain over the ledger holds',
    sql: `insert into ledger_seals select 4, 1, made.entries, made.seal, '2026-11-21T12:00:00Z' from seal_entries('', 1, 4) made;
      update postings set amount_pesewas = amount_pesewas + case line when 1 then 1 else -1 end where entry_id = 1`,
    names: /^entries 1 to 4: 4 chained at 2026-11-21 12:00:00, now 4, and not the same$/,
  },
  'money of the last entry of a link of the hash chain went elsewhere': {
    rule: 'the hash chain over the ledger holds',
    sql: `insert into ledger_seals select 4, 1, made.entries, made.seal, '2026-11-21T12:00:00Z' from seal_entries('', 1, 4) made;
      update postings set amount_pesewas = amount_pesewas + case line when 1 then 1 else -1 end where entry_id = 4`,
    names: /^entries 1 to 4: 4 chained at 2026-11-21 12:00:00, now 4, and not the same$/,
  },
  'a guard was switched off': {
    rule: 'what guards the books is in place and awake',
    sql: `alter table postings disable trigger postings_append_only`,
    names: /^postings_append_only on postings: switched off$/,
  },
  'a delivered order was not booked': {
    rule: 'a delivered order is booked once, with its price and its cost; no other order is',
    sql: `update orders set status = 'completed', decided_at = now(), completed_at = now(), cost_supplier = 'by-hand', cost_pesewas = 900
      where status = 'pending'`,
    names: /^order [0-9a-f-]{36}: completed, price 1050 and cost 900, booked nothing and 0$/,
  },
  'an order was booked as delivered that is not': {
    rule: 'a delivered order is booked once, with its price and its cost; no other order is',
    sql: `select post_entry('delivery:' || id, 'delivery', '', null, array[8, 1], array[-1050, 1050], now()) from orders where status = 'pending'`,
    names: /^order [0-9a-f-]{36}: pending, price 1050 and cost unknown, booked 1050 and 0$/,
  },
  'money was taken from the undelivered orders': {
    rule: 'the account for undelivered orders has what was paid for the pending ones',
    sql: `select post_entry('admin-debit:x', 'admin-debit', '', null, array[8, 6], array[-40, 40], now())`,
    names: /^account orders-undelivered: has 1010, pending orders 1050$/,
  },
  'a delivery was booked of no order': {
    rule: 'every delivery in the books is that of an order',
    sql: `select post_entry('delivery:' || gen_random_uuid(), 'delivery', '', null, array[10, 100], array[-40, 40], now())`,
    names: /^entry \d+ \(delivery:[0-9a-f-]{36}\): no such order$/,
  },
  'the kept totals of deliveries were changed': {
    rule: 'the kept totals of deliveries are those of the orders',
    sql: `insert into delivery_deltas (day, network, supplier, orders, sales_pesewas) values ('2026-11-21', 'MTN', 'by-hand', 1, 500)`,
    names: /^2026-11-21 MTN by-hand: kept 1 for 500 at 0, orders 0 for 0 at 0$/,
  },
  'what was added up of a day was changed': {
    rule: 'the deliveries of a day are those of its agents and customers',
    sql: `insert into delivery_days values ('2026-11-21', 'MTN', 'by-hand', 1, 500, 0, 0, 0, 0, 0, 0)`,
    names: /^2026-11-21 MTN by-hand: kept \{1,500,0,0,0,0,0,0\}, added up nothing$/,
  },
  'a week of an agent was changed': {
    rule: 'the weeks of agents are those of their days',
    sql: `insert into agent_weeks select '2026-11-16', id, 1, 500, 0, 0, 0, 0, 0, 0 from users where username = 'ama'`,
    names: /^2026-11-16 agent [0-9a-f-]{36}: kept \{1,500,0,0,0,0,0,0\}, added up nothing$/,
  },
  'a month of an agent was changed': {
    rule: 'the months of agents are those of their days',
    sql: `insert into agent_months select '2026-11-01', id, 1, 500, 0, 0, 0, 0, 0, 0 from users where username = 'ama'`,
    names: /^2026-11-01 agent [0-9a-f-]{36}: kept \{1,500,0,0,0,0,0,0\}, added up nothing$/,
  },
  'a week of a package was changed': {
    rule: 'the weeks of packages are those of their days',
    sql: `insert into insight_package_weeks values ('2026-11-16', 'MTN', 'by-hand', '1GB', 1, 500, 500, 400, 0)`,
    names: /^2026-11-16 MTN 1GB by-hand: kept \{1,500,500,400,0\}, added up nothing$/,
  },
  'an agent of a day was lost': {
    rule: 'the lists of agents are those of their days',
    sql: `insert into agent_lists values (1, '2026-11-21', 'MTN', 'by-hand', int4send(1) || int4send(2) || int8send(500), '')`,
    names: /^2026-11-21, 1 days, MTN by-hand: kept \("\\\\x0{7}10{7}20{13}1f4","\\\\x",0,0\), of its days nothing$/,
  },
  'an agent of a week was lost': {
    rule: 'the lists of agents are those of their days',
    sql: `insert into delivery_totals select '2026-11-18', 'MTN', 'by-hand', id, 2, 500, 0, 0, 0, 0, 0, 0 from users where username = 'ama';
      insert into stale_days values ('deliveries', '2026-11-18');
      insert into agent_lists select 7, '2026-11-16', o.* from agents_of_days('2026-11-16', '2026-11-22') o where network is null`,
    names: /^2026-11-16, 7 days, MTN by-hand: kept nothing, of its days \("\\\\x[0-9a-f]{8}0{7}20{13}1f4","\\\\x",0,0\)$/,
  },
  'what others of a list have was changed': {
    rule: 'the lists of agents are those of their days',
    sql: `insert into delivery_totals select '2026-11-18', 'MTN', 'by-hand', id, 2, 500, 0, 0, 0, 0, 0, 0 from users where username = 'ama';
      insert into stale_days values ('deliveries', '2026-11-18');
      insert into agent_lists select 7, '2026-11-16', o.* from agents_of_days('2026-11-16', '2026-11-22') o;
      update agent_lists set others_most = 1 where network is null`,
    names: /^2026-11-16, 7 days, all: kept \(.*,1,0\), of its days \(.*,0,0\)$/,
  },
  'how long a day took was changed': {
    rule: 'how long the deliveries of a day took is that of its networks and suppliers',
    sql: `insert into insight_minutes select '2026-11-21', network, 'by-hand', 4, 2 from unnest('{MTN,Telecel}'::text[]) network;
      insert into insight_day_minutes values ('2026-11-21', '[4,2]')`,
    names: /^2026-11-21: kept \[4,2\], added up \[4,4\]$/,
  },
  'a running total of Insight was changed': {
    rule: 'the running totals of Insight are those of its days',
    sql: `insert into insight_running_totals values ('2026-11-21', 'MTN', 'by-hand', '{"10":[1,500,500,400,0]}', '[]', '{}')`,
    names: /^2026-11-21 MTN by-hand: kept \{"10":\[1,500,500,400,0\]\}, \[\] and \{\}, of its days nothing$/,
  },
  'a running total of Insight has other times': {
    rule: 'the running totals of Insight are those of its days',
    sql: `with of_day as (insert into insight_days values ('2026-11-21', 'MTN', 'by-hand', '{"10":[1,500,500,400,0]}', '[3,1]', '{"9":[3,1]}'))
      insert into insight_running_totals values ('2026-11-21', 'MTN', 'by-hand', '{"10":[1,500,500,400,0]}', '[3,1]', '{"9":[4,1]}')`,
    names: /^2026-11-21 MTN by-hand: kept .*, \[3,1\] and \{"9":\[4,1\]\}, of its days .*, \[3,1\] and \{"9":\[3,1\]\}$/,
  },
  'how long deliveries took in all was changed in a running total of Insight': {
    rule: 'the running totals of Insight are those of its days',
    sql: `with of_day as (insert into insight_days values ('2026-11-21', 'MTN', 'by-hand', '{"10":[1,500,500,400,0]}', '[3,1]', '{"9":[3,1]}'))
      insert into insight_running_totals values ('2026-11-21', 'MTN', 'by-hand', '{"10":[1,500,500,400,0]}', '[4,1]', '{"9":[3,1]}')`,
    names: /^2026-11-21 MTN by-hand: kept .*, \[4,1\] and \{"9":\[3,1\]\}, of its days .*, \[3,1\] and \{"9":\[3,1\]\}$/,
  },
  'a day was left out of the running totals of Insight': {
    rule: 'the running totals of Insight are those of its days',
    sql: `with of_days as (
        insert into insight_days select '2026-11-20'::date + n, 'MTN', 'by-hand', '{"10":[1,500,500,400,0]}', '[]', '{}' from generate_series(0, 1) n
      )
      insert into insight_running_totals values ('2026-11-21', 'MTN', 'by-hand', '{"10":[1,500,500,400,0]}', '[]', '{}')`,
    names: /^2026-11-20 MTN by-hand: kept nothing, of its days \{"10":\[1,500,500,400,0\]\}, \[\] and \{\}$/,
  },
  'a day of Insight was lost': {
    rule: 'a day of Insight is the sum of its hours',
    sql: `insert into insight_hours values ('2026-11-21T10:00:00Z', 'MTN', 'by-hand', 1, 500, 500, 400, 0)`,
    names: /^2026-11-21 MTN by-hand: kept nothing, hours \{"10":\[1,500,500,400,0\]\}$/,
  },
  "a provider's fee was booked of no payment": {
    rule: "every provider's fee in the books is that of a card payment",
    sql: `select post_entry('provider-fee:' || repeat('q', 20), 'provider-fee', '', null, array[11, 5], array[-40, 40], now())`,
    names: /^entry \d+ \(provider-fee:q{20}\): no such payment$/,
  },
  'money is kept for no withdrawal': {
    rule: 'what is kept for withdrawals equals the open ones',
    sql: `select post_entry('admin-debit:x', 'admin-debit', '', null, array[13, 6], array[40, -40], now())`,
    names: /^account withdrawals-pending: kept 40, open withdrawals 0$/,
  },
  'a withdrawal did not leave the earnings': {
    rule: 'a withdrawal left the earnings once, and was paid or given back once it ended',
    sql: `${SHOP_OF_BOSS} insert into withdrawals
        (shop_id, requested_by, key, reference, amount_pesewas, fee_pesewas, network, phone, name, new_number, status, unapproved, created_at)
      select id, owner_id, 'k', repeat('w', 20), 2000, 100, 'MTN', '0245550100', 'Ama Sample', false, 'approval', false, now() from agent_shops`,
    names: /^withdrawal \d+: approval of 2000, taken 0, paid 0, given back 0$/,
  },
  'a reward was booked for nobody': {
    rule: 'a reward was booked for each referral that was rewarded, and for no other',
    sql: `select post_entry('referral:x', 'referral-reward', '', null, array[20, account_id], array[-200, 200], now())
      from wallets where total_purchase_pesewas > 0`,
    names: /^referral of referral:x: rewarded 0, booked 0$/,
  },
  'rewards cost more than they are': {
    rule: 'what rewards cost equals the rewards',
    sql: `select post_entry('admin-debit:x', 'admin-debit', '', null, array[20, 6], array[-40, 40], now())`,
    names: /^account referral-rewards: has -40, rewards 0$/,
  },
  'a checker was put into the stock that nobody paid for': {
    rule: 'the account of checkers equals what those in stock have cost',
    sql: `${CHECKERS} insert into checker_codes (import_id, kind, serial_hash, sealed, tail, unit_cost_pesewas)
      select id, kind, 'another', 'sealed', '0002', 1500 from checker_imports`,
    names: /^account checker-stock: has 1500, codes in stock 3000$/,
  },
  'a checker was taken out of the stock by hand': {
    rule: 'an order from the stock has the codes that its delivery was booked with',
    sql: `${CHECKERS} update checker_codes set order_id = (select id from orders where status = 'pending'), n = 1, sold_at = now()`,
    names: /^order [0-9a-f-]{36}: no order from the stock, cost 0, codes for 1500$/,
  },
  'an order was made one from the stock': {
    rule: 'an order from the stock has the codes that its delivery was booked with',
    sql: `update orders set status = 'completed', decided_at = now(), completed_at = now(), cost_supplier = 'checker-stock', cost_pesewas = 1500
      where status = 'pending'`,
    names: /^order [0-9a-f-]{36}: completed, cost 1500, codes for 0$/,
  },
  'a replacement was booked that nobody got': {
    rule: 'what replaced faulty checkers, and what was voided, is booked as a loss, once each',
    sql: `select post_entry('checker-loss:x', 'checker-loss', '', null, array[22, 12], array[-40, 40], now())`,
    names: /^account checker-losses: has 40, replaced and voided 0$/,
  },
  'a checker was voided by hand': {
    rule: 'what replaced faulty checkers, and what was voided, is booked as a loss, once each',
    sql: `${CHECKERS} update checker_codes set voided_at = now(), void_reason = 'Faulty', voided_by = (select id from users where username = 'ama')`,
    names: /^account checker-losses: has 0, replaced and voided 1500$/,
  },
  'an import was taken back in its record only': {
    rule: 'an import is booked once, with what its codes have cost, and back once when it was taken back',
    sql: `${CHECKERS} update checker_imports set taken_back_at = now(); update checker_codes set taken_back_at = now()`,
    names: /^import \d+: 1 codes at 1500, found 1, booked 1500, back 0$/,
  },
  'the orders of a list are gone': {
    rule: 'a list has as many orders as it was paid for, for its total',
    sql: `insert into bulk_jobs (user_id, key, request_hash, name, placed_by, lines, left_out, total_pesewas, first_seq, last_seq, created_at)
      select id, 'k', sha256('list'), 'Staff', 'hand', 1, 0, 500, 1, 1, now() from users where username = 'ama'`,
    names: /^list [0-9a-f-]{36}: 1 lines for 500, has 0 orders for 0$/,
  },
  'money is kept for no refund': {
    rule: 'what is kept for refunds equals the open ones',
    sql: `select post_entry('admin-debit:x', 'admin-debit', '', null, array[15, 6], array[40, -40], now())`,
    names: /^account refunds-pending: kept 40, open refunds 0$/,
  },
  'money was kept for codes that no guest has': {
    rule: 'what is kept for codes equals the refunds that have one',
    sql: `select post_entry('admin-debit:x', 'admin-debit', '', null, array[16, 6], array[40, -40], now())`,
    names: /^account refund-codes: kept 40, refunds with a code 0$/,
  },
  'a refund was marked paid that nobody paid': {
    rule: 'a refund was paid out, or went through its code into one wallet, once and in full',
    sql: `insert into payments (reference, user_id, purpose, price_pesewas, surcharge_pesewas, status, created_at)
        select repeat('p', 20), id, 'top-up', 5000, 150, 'open', now() from users where username = 'ama';
      insert into refunds (payment_reference, phone, amount_pesewas, reason, status, created_at, ended_at)
        values (repeat('p', 20), '0245550142', 40, '', 'paid', now(), now())`,
    names: /^refund [0-9a-f-]{36}: paid of 40, paid 0, by hand 0, coded 0, claimed 0$/,
  },
  'a refund was marked paid by hand that was not booked': {
    rule: 'a refund was paid out, or went through its code into one wallet, once and in full',
    sql: `insert into payments (reference, user_id, purpose, price_pesewas, surcharge_pesewas, status, created_at)
        select repeat('p', 20), id, 'top-up', 5000, 150, 'open', now() from users where username = 'ama';
      insert into refunds (payment_reference, phone, amount_pesewas, reason, status, hand_transaction_id, created_at, ended_at)
        values (repeat('p', 20), '0245550142', 40, '', 'paid', '51234567890', now(), now())`,
    names: /^refund [0-9a-f-]{36}: paid of 40, paid 0, by hand 0, coded 0, claimed 0$/,
  },
  'a refund was booked as paid by hand in part': {
    rule: 'a refund was paid out, or went through its code into one wallet, once and in full',
    sql: `insert into payments (reference, user_id, purpose, price_pesewas, surcharge_pesewas, status, created_at)
        select repeat('p', 20), id, 'top-up', 5000, 150, 'open', now() from users where username = 'ama';
      with made as (
        insert into refunds (payment_reference, phone, amount_pesewas, reason, status, hand_transaction_id, created_at, ended_at)
          values (repeat('p', 20), '0245550142', 40, '', 'paid', '51234567890', now(), now()) returning id
      ) select post_entry('refund-paid:' || id, 'refund-paid', '', null, array[15, 6], array[-30, 30], now()) from made`,
    names: /^refund [0-9a-f-]{36}: paid of 40, paid 0, by hand 30, coded 0, claimed 0$/,
  },
  'a refund goes back by card that was not taken from the wallet': {
    rule: 'what a customer has sent back was taken from their wallet once, no more than their order’s refund put there, and is there again exactly if it did not go',
    sql: `${REFUNDED_BY_CARD}
      insert into refunds (payment_reference, order_id, user_id, phone, amount_pesewas, reason, created_at)
        select o.payment_reference, o.id, o.user_id, '0245550142', 40, '', now() from orders o where o.status = 'rejected';
      select post_entry('guest-refund:x', 'guest-refund', '', null, array[6, 15], array[-40, 40], now())`,
    names: /^refund [0-9a-f-]{36}: due of 40, refunded to the wallet 550, taken 0, back again 0$/,
  },
  'money was taken from a wallet to be sent back, for no refund': {
    rule: 'what was taken from a wallet to be sent back, or came back from there, has its record',
    sql: `select post_entry('refund-to-source:' || gen_random_uuid(), 'refund-to-source', '', null, array[account_id, 6], array[-40, 40], now())
      from wallets join users u on u.id = user_id where u.username = 'ama'`,
    names: /^entry \d+ \(refund-to-source:[0-9a-f-]{36}\): no such record$/,
  },
  'two orders give back more than their payment': {
    rule: 'the shop sends no more of a payment back to its customer than it brought in',
    sql: `${REFUNDED_BY_CARD}
      insert into refunds (payment_reference, order_id, user_id, phone, amount_pesewas, reason, created_at)
        select o.payment_reference, o.id, o.user_id, '0245550142', 550, '', now() from orders o where o.status = 'rejected';
      select post_entry('refund-to-source:' || r.id, 'refund-to-source', '', null, array[w.account_id, 15], array[-550, 550], now())
        from refunds r join wallets w using (user_id);
      update payments set received_pesewas = 549 where received_pesewas = 550`,
    names: /^payment p{20}: received 549, gave back 0, sent or sends back 550$/,
  },
  'the length of a list was changed': {
    rule: 'the kept lengths of the lists are those of the lists',
    sql: `update list_counts set rows = rows + 5 where list = 'users'`,
    names: /^list users: kept 7, there are 2$/,
  },
  'a block of users was counted wrongly': {
    rule: 'the counted blocks of users are those of the users',
    sql: 'insert into user_blocks values (7, 12)',
    names: /^block 7: kept 12, there are 0$/,
  },
}

/** A settled top-up of 50.00 for 51.50, with this in its record and these accounts and amounts in the books. */
function topUp(set: string, postings: string): string {
  return `insert into payments (reference, user_id, purpose, price_pesewas, surcharge_pesewas, status, received_pesewas, topped_up_pesewas,
      created_at, settled_at) select repeat('p', 20), id, 'top-up', 5000, 150, 'paid', 5150, 5000, now(), now() from users where username = 'ama';
    update payments set ${set};
    select post_entry('card-payment:' || repeat('p', 20), 'card-payment', '', null, ${postings}, now()) from wallets where total_purchase_pesewas > 0`
}

/** What compares two records of the same thing: a customer's request may not stop the sales of a shop whose money is right. */
const RECORDS = new Set([
  'an order from the stock has the codes that its delivery was booked with',
  'a received payment is credited exactly while one customer has it',
  'a decided order has one recorded decision, the one that it shows; a pending order has none',
  'a delivery stands under the reference of its order, and nothing was sent that was not noted',
  'the orders of every acknowledged purchase are there',
  'a list has as many orders as it was paid for, for its total',
  'no order stands under a key that was refused',
  'an order is passed on before those that come much later, and no order twice',
  'a paid card payment has the orders that it was for, no other has any',
  'a paid top-up has the orders that it was to buy, no other has any',
  "a house account's kept balance is the sum of its postings",
  "a house account's kept days are those of its postings",
  'a closed range equals the ledger',
  'the kept counts of orders are those of the orders',
  'the counts of a stretch of orders are those of its blocks',
  "a wallet's total purchase is the sum of its orders that were not rejected",
  'the kept lengths of the lists are those of the lists',
  'a delivered order is booked once, with its price and its cost; no other order is',
  'every delivery in the books is that of an order',
  'the kept totals of deliveries are those of the orders',
  'the deliveries of a day are those of its agents and customers',
  'a day of Insight is the sum of its hours',
  'how long the deliveries of a day took is that of its networks and suppliers',
  'the weeks of packages are those of their days',
  'the running totals of Insight are those of its days',
  'the lists of agents are those of their days',
  'the weeks of agents are those of their days',
  'the months of agents are those of their days',
  'the counted blocks of users are those of the users',
  "every provider's fee in the books is that of a card payment",
])

describe('the ledger check', () => {
  let traded: TestShop
  beforeAll(async () => {
    traded = await openTrade()
  })
  afterAll(() => traded.close())

  test('finds nothing in an untouched ledger, and counts its rows', async () => {
    expect(await checkLedger(traded.database.db)).toEqual([])
    expect(await countReconciliation(traded.database.db)).toEqual({ entries: 4, postings: 8, wallets: 2 })
  })

  test.each(Object.entries(CASES))('sees that %s, and names the row', async (_name, { rule, sql, names }) => {
    const found = await checkTampered(traded.database, sql)
    expect(found.filter((violation) => violation.rule === rule).map(({ subject, detail }) => `${subject}: ${detail}`)).toEqual([
      expect.stringMatching(names),
    ])
  })

  test('finds nothing in what waits to be added up again', async () => {
    const found = await checkTampered(
      traded.database,
      `insert into delivery_totals select '2026-11-18', 'MTN', 'by-hand', id, 2, 500, 0, 0, 0, 0, 0, 0 from users where username = 'ama';
       insert into agent_lists select days, starts_on, 'Telecel', 'by-hand', int4send(1) || int4send(2) || int8send(500), ''
       from (values (1, '2026-11-18'::date), (7, '2026-11-16')) lists (days, starts_on);
       insert into insight_running_totals select '2026-11-19'::date + n, 'MTN', 'by-hand', '{"10":[1,500,500,400,0]}', '[]', '{}' from generate_series(0, 1) n;
       insert into stale_days values ('deliveries', '2026-11-18'), ('agents', '2026-11-16'), ('packages', '2026-11-09'), ('insight', '2026-11-19');
       insert into insight_package_weeks values ('2026-11-09', 'MTN', 'by-hand', '1GB', 1, 500, 500, 400, 0);
       insert into insight_day_minutes values ('2026-11-19', '[4,2]')`,
    )
    const rules = [
      'the lists of agents are those of their days',
      'the weeks of packages are those of their days',
      'the running totals of Insight are those of its days',
      'how long the deliveries of a day took is that of its networks and suppliers',
    ]
    expect(found.filter(({ rule }) => rules.includes(rule))).toEqual([])
  })

  // Every test of a shop ends with this proof, so it must not let such books pass.
  test('a database of a test whose books are wrong cannot be closed in silence', async () => {
    const { rule, sql } = CASES['a balance was raised without a posting'] as Tampering
    const database = await openTestDatabase({ copyOf: traded.database })
    await database.db.query(AS_OWNER + sql)
    await expect(database.close()).rejects.toThrow(rule)
  })
})

test.each([...RECORDS])('a violation of "%s" does not stop purchases', (rule) => {
  expect(concernOf(rule)).toBe('records')
})

test('violations of all other invariants are wrong money', () => {
  const others = LEDGER_RULES.filter((rule) => !RECORDS.has(rule))
  expect(others).toHaveLength(50)
  expect(new Set(others.map(concernOf))).toEqual(new Set(['money']))
})

test('every invariant has a test here', () => {
  expect(new Set(Object.values(CASES).map(({ rule }) => rule))).toEqual(new Set(LEDGER_RULES))
})

/** Entry 1 credits ama with 50.00; 2 and 3 are her orders; 4 refunds the first. */
async function openTrade(): Promise<TestShop> {
  const shop = await openTestShop()
  const ama = await makeUser(shop, { username: 'ama', balance: 50 })
  const admin = await makeUser(shop, { username: 'boss', level: 'Admin' })
  const first = await checkout(shop, ama, [await cartLine(shop)])
  await checkout(shop, ama, [await cartLine(shop, { offer: '2GB' })])
  await call(shop, 'PUT', `/order/update-status/${first.body.orders[0]?._id}`, { as: admin, body: { status: 'rejected' } })
  // What the shop does by itself would keep connections to what is to be copied.
  await shop.app.close()
  return shop
}

/** What the check finds after `sql`, of which nothing stays: both are one transaction, in which the check only thinks to begin its own. */
async function checkTampered({ db }: TestDatabase, sql: string) {
  const client = await db.connect()
  try {
    await client.query(`begin; ${AS_OWNER}${sql}`)
    const query = (text: string, values?: unknown[]) =>
      /^(begin|rollback)\b/.test(text) ? Promise.resolve({ rows: [] }) : client.query(text, values)
    return await checkLedger({ connect: async () => ({ query, release: () => {} }) } as unknown as Db)
  } finally {
    await client.query('rollback')
    client.release()
  }
}
