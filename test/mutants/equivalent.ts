/**
 * Mutants that behave like the original, by a part of their piece's name and place, with the reason. They are not tried.
 */
export const EQUIVALENT: { piece: string; at: string; why: string }[] = [
  {
    piece: 'check_entry_balances',
    at: 'coalesce(sum(amount_pesewas), ⟦0 → 1⟧)',
    why: 'An entry without postings is refused for their number, before their sum is looked at.',
  },
  {
    piece: 'post_entry',
    at: '⟦order by p.line → nothing⟧',
    why: 'The lines of an entry are found in the order in which they were written; the words only promise it.',
  },
  { piece: 'post_entries', at: 'where account < ⟦1000 → 999⟧', why: 'There is no account 999.' },
  ...['⟦p_from >= 1000 → true⟧', '⟦p_to >= 1000 → true⟧', 'p_from >= ⟦1000 → 999⟧', 'p_to >= ⟦1000 → 999⟧'].map((at) => ({
    piece: 'post_entries',
    at,
    why: 'A house account has no wallet that the statement would find.',
  })),
  ...['array_agg(id ⟦order by id → nothing⟧)', '⟦order by id, line → nothing⟧'].map((at) => ({
    piece: 'post_entries',
    at,
    why: 'The rows come in the order in which they were written; the words only promise it.',
  })),
  {
    piece: 'post_entries',
    at: '⟦account_id in (p_from, p_to) → true⟧',
    why: 'Every wallet would be locked, which is slow and harms nothing else.',
  },
  {
    piece: 'wallet/approvals.sql.ts',
    at: 'order by proposed_at desc limit ⟦1 → 2⟧',
    why: 'Its caller reads the first row.',
  },
  {
    piece: 'take_back_profit',
    at: '⟦share.profit_pesewas > taken → true⟧',
    why: 'What is left is nothing, and nothing is added to the debt.',
  },
  {
    piece: 'place_wallet_orders',
    at: '⟦order by entry.place → nothing⟧',
    why: 'The elements of an array come in their order; the words only promise it.',
  },
  {
    piece: 'price_lines',
    at: '⟦order by entry.place → nothing⟧',
    why: 'The elements of an array come in their order; the words only promise it.',
  },
  {
    piece: 'refused_lines',
    at: '⟦order by place → nothing⟧',
    why: 'The elements of an array come in their order; the words only promise it.',
  },
  {
    piece: 'purchases/purchases.sql.ts',
    at: ') o ⟦order by line.place → nothing⟧',
    why: 'The elements of an array come in their order; the words only promise it.',
  },
  {
    piece: 'whatsapp/whatsapp.sql.ts',
    at: 'code_tries ⟦< → <=⟧ 5',
    why: 'Its caller has the row locked and tries no code a sixth time.',
  },
  ...['message-formats/formats.sql.ts', 'received-payments/claims.sql.ts', 'afa/afa.sql.ts'].flatMap((piece) =>
    ["⟦'message formats' → ''⟧", "'claims of ' || $1, ⟦0 → 1⟧", "'message formats', ⟦0 → 1⟧", "encode($1, 'hex'), ⟦0 → 1⟧"].map((at) => ({
      piece,
      at,
      why: 'Any name of a lock will do that all who take it share.',
    })),
  ),
  {
    piece: 'afa/afa.sql.ts',
    at: "o.status <> ⟦'pending' → ''⟧ and o.decided_at < $1",
    why: 'An order that waits has no time of its decision.',
  },
  {
    piece: 'conversations/conversations.sql.ts',
    at: '+ 2 - $6, ⟦1 → 0⟧',
    why: 'An array has nothing before its first element.',
  },
  ...['⟦20 → 19⟧', '⟦20 → 21⟧'].map((at) => ({
    piece: 'conversations/conversations.sql.ts',
    at: `order by expires_at limit ${at}`,
    why: 'How many are removed at a time is a matter of speed.',
  })),
  ...["'DAY_LIMIT'", "'ORDER_LIMIT'"].map((limit) => ({
    piece: 'place_channel_orders',
    at: `'outcome', ⟦'refused' → ''⟧, 'replayed', false, 'code', ${limit}`,
    why: 'Its caller knows a limit by what may still be spent, which stands beside it.',
  })),
  {
    piece: 'checkers/checkers.sql.ts',
    at: 'select from checker_codes where ⟦import_id = $1 → true⟧ order by id for update',
    why: 'All codes would be locked, which is slow and harms nothing else.',
  },
  {
    piece: 'short_of_checkers',
    at: 'if held ⟦< → <=⟧ need.units then',
    why: 'Where there are just enough, no line is found to be short.',
  },
  {
    piece: 'refused_lines',
    at: '⟦true → true⟧',
    why: 'It is the same condition.',
  },
  {
    piece: 'place_bulk_orders',
    at: 'row_number() over (⟦order by kind → nothing⟧)',
    why: 'Any numbering will do that both sides share.',
  },
  {
    piece: 'place_bulk_orders',
    at: '⟦order by place → nothing⟧',
    why: 'The rows come in their order, which the aggregates beside it ask for; the words only promise it.',
  },
  {
    piece: '_profit',
    at: '⟦strict → nothing⟧ wallet',
    why: 'A shop has a wallet, which a foreign key and the trigger that makes it see to.',
  },
  {
    piece: '_profit',
    at: 'share from profit_shares where order_id = p_order ⟦for update → nothing⟧',
    why: 'Whoever decides or refunds an order has its row locked.',
  },
  {
    piece: '_profit',
    at: 's := array[]::bigint[] → null⟧',
    why: 'What is put at the end of nothing is a list of its own, and nothing after a list leaves it as it is.',
  },
  {
    piece: '_profit',
    at: '⟦strict → nothing⟧ share',
    why: 'It is called only for an order that has a share.',
  },
  {
    piece: 'place_bulk_orders',
    at: "return jsonb_build_object(⟦'outcome' → ''⟧, 'placed'",
    why: 'What is not refused, and no other list of the same key, was placed.',
  },
  {
    piece: 'place_bulk_orders',
    at: "return jsonb_build_object('outcome', ⟦'placed' → ''⟧",
    why: 'What is not refused, and no other list of the same key, was placed.',
  },
  {
    piece: 'check_posting_is_of_its_transaction',
    at: 'select ⟦1 → ',
    why: 'Of what exists nobody reads the value.',
  },
  {
    piece: 'table withdrawals',
    at: 'withdrawals_paid_by_hand: CREATE UNIQUE INDEX withdrawals_paid_by_hand ON public.withdrawals USING btree (network, hand_transaction_id) WHERE ⟦(hand_transaction_id IS NOT NULL) → true⟧',
    why: 'Nulls are distinct in an index; the condition only keeps it small.',
  },
  {
    piece: 'table orders',
    at: 'orders_client_id: CREATE UNIQUE INDEX orders_client_id ON public.orders USING btree (user_id, client_id) WHERE ⟦(client_id IS NOT NULL) → true⟧',
    why: 'Nulls are distinct in an index; the condition only keeps it small.',
  },
  {
    piece: 'table orders',
    at: 'WHEN ⟦(old.status IS DISTINCT FROM new.status) → true⟧',
    why: 'An order whose status stays is counted out and in again, which comes to nothing.',
  },
  {
    piece: 'shared/money.ts',
    at: 'cedis = ⟦\'0\' → ""⟧',
    why: 'The pattern always has this part; its default is there for the types.',
  },
  {
    piece: 'wallet/change-balance.ts',
    at: 'const isCredit = ⟦amountPesewas > 0 → amountPesewas >= 0⟧',
    why: 'An amount of nothing is refused before it comes here, and by the database.',
  },
  {
    piece: '.sql.ts',
    at: 'rows[0]?.total → ',
    why: 'A count always has one row.',
  },
  {
    piece: 'routes.ts',
    at: '⟦{ 200:',
    why: 'The schema of a reply takes away what is not in it, and nothing more is there.',
  },
]

export function whyEquivalent({ piece, at }: { piece: string; at: string }): string | undefined {
  return EQUIVALENT.find((one) => piece.includes(one.piece) && at.includes(one.at))?.why
}
