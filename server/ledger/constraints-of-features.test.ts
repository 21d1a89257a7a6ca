import { createHash, randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestDatabase, type TestDatabase } from '../../test/database.ts'

type Row = Record<string, unknown>

/** Columns that must not be the same twice, as the database names them. */
type Once = { columns: string; other: Row }

type Rules = {
  /** A row that the table takes. */
  row: Row
  /** Changes of it that it takes too: the ends of what is allowed. */
  taken: Row[]
  refused: [change: Row, constraint: string][]
  /** `other` makes the second row another one in all that must be unique besides. */
  once?: Once[]
  /** What the usual row has where nothing was said. */
  otherwise?: Row
  /** Columns that name rows of other tables, and a change by which all of them do. */
  nowhere?: [columns: string, change: Row]
  /** Changes that make two rows which the table takes beside one another. */
  beside?: [Row, Row][]
}

const NOW = new Date('2026-11-21T12:00:00Z')
const LATER = new Date('2026-11-21T12:00:01Z')
const [A, B, C] = [randomUUID(), randomUUID(), randomUUID()]
const HASH = createHash('sha256').update('a').digest()
const HASH_2 = createHash('sha256').update('b').digest()
/** A card payment that has arrived. */
const PAID = { status: 'paid', settled_at: NOW, received_pesewas: 5 }
const x = (times: number) => 'x'.repeat(times)

/** What the tables of the shop's features must refuse by themselves, whatever the code does. */
const RULES: Record<string, Rules> = {
  agent_shops: {
    row: { id: A, owner_id: A, slug: 'ama', name: 'Ama', colour: 'green', created_at: NOW },
    taken: [
      { slug: x(30), name: x(40), about: 'x', phone: '0241234567', whatsapp: '0241234567', max_markup: 1 },
      { slug: 'a-1-b', name: 'Jo', about: x(80), max_markup: 500, host: 'a.gh', host_approved_at: NOW },
      { host: x(100), refused_host: x(100) },
      { refused_host: 'a.gh', closed_at: NOW, closed_by: A, closed_reason: 'why' },
      { closed_at: NOW, closed_by: A, closed_reason: x(200) },
    ],
    refused: [
      [{ slug: 'am' }, 'agent_shops_slug_check'],
      [{ slug: x(31) }, 'agent_shops_slug_check'],
      [{ slug: 'Ama' }, 'agent_shops_slug_check'],
      [{ slug: 'ama-' }, 'agent_shops_slug_check'],
      [{ slug: 'a--b' }, 'agent_shops_slug_check'],
      [{ name: 'A' }, 'agent_shops_name_check'],
      [{ name: x(41) }, 'agent_shops_name_check'],
      [{ about: '' }, 'agent_shops_about_check'],
      [{ about: x(81) }, 'agent_shops_about_check'],
      [{ colour: 'pink' }, 'agent_shops_colour_check'],
      [{ host: 'A.gh.com' }, 'agent_shops_host_check'],
      [{ host: 'a.b' }, 'agent_shops_host_check'],
      [{ host: x(101) }, 'agent_shops_host_check'],
      [{ host_approved_at: NOW }, 'agent_shops_check'],
      [{ refused_host: 'a.b' }, 'agent_shops_refused_host'],
      [{ refused_host: x(101) }, 'agent_shops_refused_host'],
      [{ phone: '024123456' }, 'agent_shops_phone_check'],
      [{ phone: '02412345678' }, 'agent_shops_phone_check'],
      [{ whatsapp: '024123456' }, 'agent_shops_whatsapp_check'],
      [{ whatsapp: '02412345678' }, 'agent_shops_whatsapp_check'],
      [{ max_markup: 0 }, 'agent_shops_max_markup_check'],
      [{ max_markup: 501 }, 'agent_shops_max_markup_check'],
      [{ closed_at: NOW, closed_by: A }, 'agent_shops_check1'],
      [{ closed_at: NOW, closed_reason: 'why' }, 'agent_shops_check1'],
      [{ closed_by: A, closed_reason: 'why' }, 'agent_shops_check1'],
      [{ closed_at: NOW, closed_by: A, closed_reason: 'no' }, 'agent_shops_closed_reason_check'],
      [{ closed_at: NOW, closed_by: A, closed_reason: x(201) }, 'agent_shops_closed_reason_check'],
    ],
    once: [
      { columns: 'owner_id', other: { id: B, slug: 'kofi' } },
      { columns: 'slug', other: { id: B, owner_id: B } },
      { columns: 'id', other: { owner_id: B, slug: 'kofi' } },
    ],
  },
  api_events: {
    row: { id: A, user_id: A, is_test: false, type: 'order.delivered', order_id: A, created_at: NOW },
    taken: [
      { type: 'order.refused' },
      { type: 'order.refunded' },
      { type: 'endpoint.test', order_id: null },
      { is_test: true, order_id: null, test_order: 1 },
    ],
    refused: [
      [{ type: 'order.lost' }, 'api_events_type_check'],
      [{ is_test: true }, 'api_events_check'],
      [{ test_order: 1 }, 'api_events_check'],
    ],
    once: [
      { columns: 'order_id, type', other: { id: B } },
      { columns: 'id', other: { type: 'order.refunded' } },
    ],
  },
  api_keys: {
    row: { id: A, user_id: A, hash: HASH, name: 'k', ending: 'abcd', scopes: ['balance:read'], created_at: NOW },
    taken: [
      { name: x(40), expires_at: LATER, scopes: ['balance:read', 'catalogue:read', 'orders:read', 'orders:write'] },
      { addresses: Array(20).fill('10.0.0.1') },
    ],
    refused: [
      [{ addresses: Array(21).fill('10.0.0.1') }, 'api_keys_addresses_check'],
      [{ expires_at: NOW }, 'api_keys_check'],
      [{ ending: 'abc' }, 'api_keys_ending_check'],
      [{ ending: 'abcde' }, 'api_keys_ending_check'],
      [{ hash: HASH.subarray(1) }, 'api_keys_hash_check'],
      [{ name: '' }, 'api_keys_name_check'],
      [{ name: x(41) }, 'api_keys_name_check'],
      [{ scopes: [] }, 'api_keys_scopes_check'],
      [{ scopes: ['balance:read', 'everything'] }, 'api_keys_scopes_check'],
    ],
    once: [
      { columns: 'hash', other: { id: B } },
      { columns: 'id', other: { hash: HASH_2 } },
      { columns: 'replaced_by', other: { id: B, hash: HASH_2 } },
    ],
  },
  approvals: {
    row: { id: A, action: 'wallet.credit', action_hash: HASH, details: '{}', proposed_by: A, proposed_at: NOW, expires_at: LATER },
    taken: [
      { action: 'wallet.debit', decision: 'approved', decided_by: B, decided_at: NOW },
      { action: 'recharge.approve', decision: 'declined', decided_by: A, decided_at: NOW },
      { action: 'payment.credit' },
    ],
    refused: [
      [{ action: 'wallet.empty' }, 'approvals_action_check'],
      [{ action_hash: HASH.subarray(1) }, 'approvals_action_hash_check'],
      [{ decision: 'approved', decided_by: A, decided_at: NOW }, 'approvals_by_two_people'],
      [{ decision: 'approved', decided_by: B }, 'approvals_check'],
      [{ decision: 'declined', decided_at: NOW }, 'approvals_check'],
      [{ decided_by: B, decided_at: NOW }, 'approvals_check'],
      [{ decision: 'maybe', decided_by: B, decided_at: NOW }, 'approvals_decision_check'],
    ],
    once: [{ columns: 'action_hash', other: { id: B } }],
  },
  batch_orders: {
    row: { batch_id: A, order_id: A },
    taken: [
      { status: 'completed', ended_at: NOW },
      { status: 'rejected', ended_at: NOW },
      { status: 'released', ended_at: NOW },
    ],
    refused: [
      [{ status: 'lost', ended_at: NOW }, 'batch_orders_status_check'],
      [{ status: 'completed' }, 'batch_orders_check'],
      [{ ended_at: NOW }, 'batch_orders_check'],
    ],
    once: [{ columns: 'order_id', other: { batch_id: B } }],
  },
  bulk_jobs: {
    row: {
      id: A,
      user_id: A,
      key: 'k',
      request_hash: HASH,
      name: 'n',
      placed_by: 'hand',
      lines: 1,
      left_out: 0,
      total_pesewas: 1,
      first_seq: 1,
      last_seq: 1,
      created_at: NOW,
    },
    taken: [
      { key: x(200), name: x(60), placed_by: 'schedule' },
      { placed_by: 'api', left_out: 1, last_seq: 2 },
    ],
    refused: [
      [{ last_seq: 0 }, 'bulk_jobs_check'],
      [{ key: '' }, 'bulk_jobs_key_check'],
      [{ key: x(201) }, 'bulk_jobs_key_check'],
      [{ left_out: -1 }, 'bulk_jobs_left_out_check'],
      [{ lines: 0 }, 'bulk_jobs_lines_check'],
      [{ name: '' }, 'bulk_jobs_name_check'],
      [{ name: ' n' }, 'bulk_jobs_name_check'],
      [{ name: x(61) }, 'bulk_jobs_name_check'],
      [{ placed_by: 'magic' }, 'bulk_jobs_placed_by_check'],
      [{ request_hash: HASH.subarray(1) }, 'bulk_jobs_request_hash_check'],
      [{ total_pesewas: 0 }, 'bulk_jobs_total_pesewas_check'],
    ],
    once: [
      { columns: 'user_id, key', other: { id: B } },
      { columns: 'id', other: { key: 'l' } },
    ],
  },
  bulk_lines: {
    row: { job_id: A, line: 1, order_id: A, written: '', name: '' },
    taken: [{ written: x(200), name: x(100), why: x(200) }, { retry_of: B }, { order_id: null }],
    refused: [
      [{ line: 0 }, 'bulk_lines_line_check'],
      [{ name: x(101) }, 'bulk_lines_name_check'],
      [{ why: x(201) }, 'bulk_lines_why_check'],
      [{ written: x(201) }, 'bulk_lines_written_check'],
      [{ order_id: null, retry_of: B }, 'bulk_lines_check'],
    ],
    once: [
      { columns: 'job_id, line', other: { order_id: B } },
      { columns: 'order_id', other: { line: 2 } },
      { columns: 'retry_of', other: { line: 2, order_id: B } },
    ],
  },
  bulk_schedules: {
    row: {
      id: A,
      user_id: A,
      group_id: A,
      repeats: 'once',
      day: '2026-12-01',
      at_time: '08:00',
      most_pesewas: 1,
      created_at: NOW,
      updated_at: NOW,
    },
    taken: [
      { repeats: 'weekly', day: null, weekday: 1 },
      { repeats: 'weekly', day: null, weekday: 7 },
      { repeats: 'monthly', day: null, month_day: 1 },
      { repeats: 'monthly', day: null, month_day: 31 },
      ...['price', 'balance', 'missed', 'lines'].map((question) => ({ question, question_due_at: NOW })),
    ],
    refused: [
      [{ repeats: 'daily', day: null }, 'bulk_schedules_repeats_check'],
      [{ day: null }, 'bulk_schedules_check'],
      [{ repeats: 'weekly', weekday: 1 }, 'bulk_schedules_check'],
      [{ weekday: 1 }, 'bulk_schedules_check1'],
      [{ repeats: 'weekly', day: null }, 'bulk_schedules_check1'],
      [{ month_day: 1 }, 'bulk_schedules_check2'],
      [{ repeats: 'monthly', day: null }, 'bulk_schedules_check2'],
      [{ repeats: 'weekly', day: null, weekday: 0 }, 'bulk_schedules_weekday_check'],
      [{ repeats: 'weekly', day: null, weekday: 8 }, 'bulk_schedules_weekday_check'],
      [{ repeats: 'monthly', day: null, month_day: 0 }, 'bulk_schedules_month_day_check'],
      [{ repeats: 'monthly', day: null, month_day: 32 }, 'bulk_schedules_month_day_check'],
      [{ most_pesewas: 0 }, 'bulk_schedules_most_pesewas_check'],
      [{ question: 'why', question_due_at: NOW }, 'bulk_schedules_question_check'],
      [{ question: 'price' }, 'bulk_schedules_check3'],
      [{ paused_why: 'why' }, 'bulk_schedules_paused_why_check'],
      [{ question_due_at: NOW }, 'bulk_schedules_check3'],
    ],
  },
  card_refunds: {
    row: {
      provider_id: 'r1',
      reference: 'P',
      amount_pesewas: 2,
      currency: 'GHS',
      status: 'pending',
      heard_at: NOW,
      updated_at: NOW,
    },
    taken: [
      { amount_pesewas: 1, booked_pesewas: 1 },
      ...['processing', 'needs-attention', 'failed', 'processed'].map((status) => ({ status })),
    ],
    refused: [
      [{ amount_pesewas: 0 }, 'card_refunds_amount_pesewas_check'],
      [{ booked_pesewas: -1 }, 'card_refunds_check'],
      [{ booked_pesewas: 3 }, 'card_refunds_check'],
      [{ status: 'lost' }, 'card_refunds_status_check'],
    ],
    once: [{ columns: 'provider_id', other: {} }],
  },
  day_closes: {
    row: {
      from_at: NOW,
      until_at: LATER,
      opening_pesewas: 0,
      closing_pesewas: 0,
      sheet: '{}',
      counted: '[]',
      signed_by: A,
      signed_at: NOW,
    },
    taken: [
      { corrects: 1, note: 'n' },
      { note: x(500), counted: '[{"expectedPesewas":1,"countedPesewas":1}]' },
      { counted: '[{"expectedPesewas":1,"countedPesewas":2,"note":"why"}]' },
      { counted: '[{"expectedPesewas":null,"countedPesewas":2}]' },
    ],
    refused: [
      [{ until_at: NOW }, 'day_closes_check'],
      [{ corrects: 1 }, 'day_closes_check1'],
      [{ note: x(501) }, 'day_closes_note_check'],
      [{ counted: '[{"expectedPesewas":1,"countedPesewas":2}]' }, 'day_closes_explained'],
      [{ counted: '[{"expectedPesewas":1,"countedPesewas":2,"note":""}]' }, 'day_closes_explained'],
    ],
    once: [{ columns: 'corrects', other: {} }],
  },
  disputes: {
    row: {
      provider_id: 'd1',
      reference: 'P',
      amount_pesewas: 2,
      currency: 'GHS',
      category: 'chargeback',
      status: 'pending',
      heard_at: NOW,
    },
    taken: [{ amount_pesewas: 0 }, { booked_pesewas: 2 }, ...['won', 'lost', 'unclear'].map((outcome) => ({ outcome, resolved_at: NOW }))],
    refused: [
      [{ amount_pesewas: -1, booked_pesewas: -1 }, 'disputes_amount_pesewas_check'],
      [{ booked_pesewas: -1 }, 'disputes_check'],
      [{ booked_pesewas: 3 }, 'disputes_check'],
      [{ outcome: 'won' }, 'disputes_check1'],
      [{ resolved_at: NOW }, 'disputes_check1'],
      [{ outcome: 'lucky', resolved_at: NOW }, 'disputes_outcome_check'],
    ],
    once: [{ columns: 'provider_id', other: {} }],
  },
  package_costs: {
    row: { product_id: A, offer: '1GB', supplier: 'hubnet', cost_pesewas: 1, valid_from: NOW },
    taken: [{ cost_pesewas: null }, { supplier: 'a1' }, { supplier: `a${x(39)}` }],
    refused: [
      [{ cost_pesewas: 0 }, 'package_costs_more_than_nothing'],
      [{ supplier: 'a' }, 'package_costs_supplier_check'],
      [{ supplier: '-ab' }, 'package_costs_supplier_check'],
      [{ supplier: x(41) }, 'package_costs_supplier_check'],
      [{ supplier: 'Hub' }, 'package_costs_supplier_check'],
    ],
  },
  payment_credits: {
    row: { payment_id: A, amount_pesewas: 1, user_id: A, recharge_id: A, entry_key: 'e', credited_at: NOW, credited_by: A },
    taken: [{ recharge_id: null }, { taken_back_at: NOW, taken_back_by: A }],
    refused: [
      [{ taken_back_at: NOW }, 'payment_credits_check'],
      [{ taken_back_by: A }, 'payment_credits_check'],
    ],
    once: [
      { columns: 'entry_key', other: { payment_id: B, recharge_id: B } },
      { columns: 'recharge_id', other: { payment_id: B, entry_key: 'f' } },
    ],
  },
  profit_shares: {
    row: {
      order_id: A,
      shop_id: A,
      price_pesewas: 120,
      cost_pesewas: 100,
      floor_pesewas: 110,
      ceiling_pesewas: 130,
      sold_at: NOW,
    },
    taken: [{ price_pesewas: 110 }, { price_pesewas: 130 }, { floor_pesewas: 101 }, { repaid_pesewas: 20 }, { cost_pesewas: 1 }],
    refused: [
      [{ floor_pesewas: 100 }, 'profit_shares_check'],
      [{ cost_pesewas: 0 }, 'profit_shares_cost_pesewas_check'],
      [{ price_pesewas: 109 }, 'profit_shares_in_bounds'],
      [{ price_pesewas: 131 }, 'profit_shares_in_bounds'],
      [{ repaid_pesewas: -1 }, 'profit_shares_repaid'],
      [{ repaid_pesewas: 21 }, 'profit_shares_repaid'],
    ],
    once: [{ columns: 'order_id', other: { shop_id: B } }],
  },
  received_payments: {
    row: {
      id: A,
      network: 'MTN',
      transaction_id: '51234567890',
      amount_pesewas: 1,
      raw: 'text',
      source: 'message',
      received_by: A,
      received_at: NOW,
    },
    taken: [
      ...['Telecel', 'AirtelTigo', 'GhanaPay', 'Other'].map((network) => ({ network })),
      { transaction_id: 'a.-Z', payer_phone: '0241234567', typed_phone: '0241234567', raw: x(4000) },
      { transaction_id: x(40), source: 'statement', status: 'credited' },
      { status: 'dismissed' },
    ],
    refused: [
      [{ amount_pesewas: 0 }, 'received_payments_amount_pesewas_check'],
      [{ network: 'Glo' }, 'received_payments_network_check'],
      [{ payer_phone: '024123456' }, 'received_payments_payer_phone_check'],
      [{ payer_phone: '02412345678' }, 'received_payments_payer_phone_check'],
      [{ typed_phone: '024123456' }, 'received_payments_typed_phone_check'],
      [{ typed_phone: '02412345678' }, 'received_payments_typed_phone_check'],
      [{ raw: x(4001) }, 'received_payments_raw_check'],
      [{ source: 'rumour' }, 'received_payments_source_check'],
      [{ status: 'lost' }, 'received_payments_status_check'],
      [{ transaction_id: '123' }, 'received_payments_transaction_id_check'],
      [{ transaction_id: x(41) }, 'received_payments_transaction_id_check'],
      [{ transaction_id: '1234 5' }, 'received_payments_transaction_id_check'],
    ],
    once: [
      { columns: 'network, transaction_id', other: { id: B } },
      { columns: 'id', other: { network: 'Telecel', amount_pesewas: 2 } },
    ],
  },
  receiver_corrections: {
    row: {
      order_id: A,
      from_receiver: '0241234567',
      to_receiver: '0241234568',
      agreed_by: 'Jo',
      consent: 'call',
      corrected_by: A,
      corrected_at: NOW,
    },
    taken: [{ agreed_by: x(60) }, ...['whatsapp', 'sms', 'in-person'].map((consent) => ({ consent }))],
    refused: [
      [{ agreed_by: 'J' }, 'receiver_corrections_agreed_by_check'],
      [{ agreed_by: x(61) }, 'receiver_corrections_agreed_by_check'],
      [{ to_receiver: '0241234567' }, 'receiver_corrections_check'],
      [{ to_receiver: '024123456' }, 'receiver_corrections_check'],
      [{ to_receiver: '02412345689' }, 'receiver_corrections_check'],
      [{ consent: 'guess' }, 'receiver_corrections_consent_check'],
    ],
  },
  referral_links: {
    row: { user_id: A, code: 'abcd2345', created_at: NOW },
    taken: [],
    refused: [
      [{ code: 'abcd234' }, 'referral_links_code_check'],
      [{ code: 'abcd23456' }, 'referral_links_code_check'],
      [{ code: 'abcd2341' }, 'referral_links_code_check'],
    ],
    once: [
      { columns: 'code', other: { user_id: B } },
      { columns: 'user_id', other: { code: 'bbbb2345' } },
    ],
  },
  referrals: {
    row: { referred_id: A, referrer_id: B, reward_pesewas: 1, spend_pesewas: 1, created_at: NOW },
    otherwise: { delivered_pesewas: 0 },
    nowhere: ['referred_id referrer_id', {}],
    taken: [{ check_at: NOW }, { rewarded_at: NOW }],
    refused: [
      [{ referrer_id: A }, 'referrals_check'],
      [{ check_at: NOW, rewarded_at: NOW }, 'referrals_check1'],
      [{ reward_pesewas: 0 }, 'referrals_reward_pesewas_check'],
      [{ spend_pesewas: 0 }, 'referrals_spend_pesewas_check'],
    ],
    once: [{ columns: 'referred_id', other: { referrer_id: C } }],
  },
  refund_codes: {
    row: { refund_id: A, hash: HASH, shown_at: NOW },
    taken: [],
    refused: [],
    once: [{ columns: 'hash', other: { refund_id: B } }],
  },
  refunds: {
    row: { id: A, payment_reference: 'P', order_id: A, phone: '0241234567', amount_pesewas: 1, reason: 'why', created_at: NOW },
    taken: [
      ...['sending', 'accepted', 'unknown', 'review', 'code'].map((status) => ({ status })),
      { status: 'paid', ended_at: NOW, hand_transaction_id: 'h' },
      { status: 'claimed', ended_at: NOW, claimed_by: A },
      { user_id: A, status: 'wallet', ended_at: NOW },
      { order_id: null },
    ],
    refused: [
      [{ amount_pesewas: 0 }, 'refunds_amount_pesewas_check'],
      [{ hand_transaction_id: 'h' }, 'refunds_by_hand'],
      [{ claimed_by: A }, 'refunds_claimed'],
      [{ status: 'claimed', ended_at: NOW }, 'refunds_claimed'],
      [{ ended_at: NOW }, 'refunds_ended'],
      [{ status: 'paid' }, 'refunds_ended'],
      [{ status: 'claimed', claimed_by: A }, 'refunds_ended'],
      [{ user_id: A, status: 'wallet' }, 'refunds_ended'],
      [{ status: 'wallet', ended_at: NOW }, 'refunds_of_customers'],
      [{ user_id: A, status: 'code' }, 'refunds_of_customers'],
      [{ user_id: A, status: 'claimed', claimed_by: A, ended_at: NOW }, 'refunds_of_customers'],
      [{ user_id: A, order_id: null }, 'refunds_of_customers'],
      [{ phone: '024123456' }, 'refunds_phone_check'],
      [{ phone: '02412345678' }, 'refunds_phone_check'],
      [{ status: 'lost' }, 'refunds_status_check'],
    ],
    once: [
      { columns: 'order_id', other: { id: B } },
      { columns: 'provider_id', other: { id: B, order_id: B } },
      { columns: 'id', other: { order_id: B } },
    ],
  },
  reports: {
    row: { id: A, order_id: A, opened_at: NOW },
    taken: [
      { status: 'delivered', ended_at: NOW },
      { status: 'refunded', ended_at: NOW },
      { status: 'resent', ended_at: NOW, resend_reference: 'R12345' },
      { status: 'resent', ended_at: NOW, resend_reference: x(25) },
    ],
    refused: [
      [{ status: 'lost', ended_at: NOW }, 'reports_status_check'],
      [{ status: 'delivered' }, 'reports_check'],
      [{ ended_at: NOW }, 'reports_check'],
      [{ resend_reference: 'R12345' }, 'reports_check1'],
      [{ status: 'resent', ended_at: NOW, resend_reference: 'R1234' }, 'reports_resend_reference_check'],
      [{ status: 'resent', ended_at: NOW, resend_reference: x(26) }, 'reports_resend_reference_check'],
    ],
    once: [
      { columns: 'order_id', other: { id: B } },
      { columns: 'resend_reference', other: { id: B, order_id: B } },
    ],
  },
  shop_prices: {
    row: { shop_id: A, product_id: A, offer: '1GB', price_pesewas: 1, changed_at: NOW },
    taken: [{ price_pesewas: null }],
    refused: [[{ price_pesewas: 0 }, 'shop_prices_price_pesewas_check']],
    once: [{ columns: 'shop_id, product_id, offer', other: { price_pesewas: 2 } }],
  },
  supplier_deliveries: {
    row: { order_id: A, reference: 'R12345', supplier: 'hubnet', volume_mb: 1, created_at: NOW, updated_at: NOW },
    taken: [
      ...['sending', 'accepted', 'unknown', 'rejected', 'delivered', 'failed', 'cancelled'].map((status) => ({ status })),
      { reference: x(25), resent: 2, not_found_apart_ms: 1 },
    ],
    refused: [
      [{ not_found_apart_ms: 0 }, 'supplier_deliveries_not_found_apart_ms_check'],
      [{ reference: 'R1234' }, 'supplier_deliveries_reference_check'],
      [{ reference: x(26) }, 'supplier_deliveries_reference_check'],
      [{ reference: 'R-12345' }, 'supplier_deliveries_reference_check'],
      [{ resent: 3 }, 'supplier_deliveries_resent_check'],
      [{ status: 'lost' }, 'supplier_deliveries_status_check'],
      [{ volume_mb: 0 }, 'supplier_deliveries_volume_mb_check'],
    ],
    once: [
      { columns: 'order_id', other: { reference: 'S12345' } },
      { columns: 'reference', other: { order_id: B } },
    ],
  },
  webhook_deliveries: {
    row: { id: A, endpoint_id: A, event_id: A },
    taken: [{ status: 'delivered' }, { status: 'failed' }],
    refused: [[{ status: 'lost' }, 'webhook_deliveries_status_check']],
    once: [
      { columns: 'endpoint_id, event_id', other: { id: B } },
      { columns: 'id', other: { event_id: B } },
    ],
  },
  webhook_endpoints: {
    row: { id: A, user_id: A, url: 'https://x.', events: ['order.delivered'], secret: HASH, created_at: NOW },
    taken: [
      { url: x(500), events: ['order.delivered', 'order.refused', 'order.refunded'] },
      { old_secret: HASH, old_secret_until: NOW },
    ],
    refused: [
      [{ old_secret: HASH }, 'webhook_endpoints_check'],
      [{ old_secret_until: NOW }, 'webhook_endpoints_check'],
      [{ events: [] }, 'webhook_endpoints_events_check'],
      [{ events: ['order.lost'] }, 'webhook_endpoints_events_check'],
      [{ url: 'https://x' }, 'webhook_endpoints_url_check'],
      [{ url: x(501) }, 'webhook_endpoints_url_check'],
    ],
  },
  disputed_money: {
    row: { payment_reference: 'R', account_id: 1, pesewas: 1, times: 1 },
    nowhere: ['payment_reference account_id', { account_id: 999_999 }],
    taken: [{ pesewas: 0 }],
    refused: [
      [{ pesewas: -1 }, 'disputed_money_not_below_zero'],
      [{ times: 0 }, 'disputed_money_counted'],
    ],
  },
  disputed_orders: {
    row: { order_id: A, payment_reference: 'R', pesewas: 1 },
    nowhere: ['order_id payment_reference', {}],
    taken: [],
    refused: [[{ pesewas: 0 }, 'disputed_orders_share']],
  },
  afa_registrations: {
    row: { order_id: A, details: HASH, card_hash: HASH, consented_at: NOW },
    nowhere: ['order_id', {}],
    taken: [
      { sent_at: NOW, batch: 1 },
      { details: null, card_hash: null, erased_at: NOW },
    ],
    refused: [
      [{ sent_at: NOW }, 'afa_registrations_check'],
      [{ batch: 1 }, 'afa_registrations_check'],
      [{ details: null }, 'afa_registrations_check1'],
      [{ card_hash: null, erased_at: NOW }, 'afa_registrations_check1'],
      [{ card_hash: null }, 'afa_registrations_check2'],
      [{ details: null, erased_at: NOW }, 'afa_registrations_check2'],
    ],
    once: [{ columns: 'order_id', other: { card_hash: HASH_2 } }],
  },
  channel_settings: {
    row: { channel: 'ussd' },
    otherwise: { is_on: null, most_per_order_pesewas: 20_000, most_per_day_pesewas: 50_000 },
    taken: [
      { most_per_order_pesewas: 100, most_per_day_pesewas: 100 },
      { channel: 'whatsapp', most_per_day_pesewas: 10_000_000 },
      { most_per_order_pesewas: 1_000_000, most_per_day_pesewas: 1_000_000 },
    ],
    refused: [
      [{ channel: 'fax' }, 'channel_settings_channel_check'],
      [{ most_per_order_pesewas: 101, most_per_day_pesewas: 100 }, 'channel_settings_check'],
      [{ most_per_order_pesewas: 99 }, 'channel_settings_most_per_order_pesewas_check'],
      [{ most_per_order_pesewas: 1_000_001, most_per_day_pesewas: 1_000_001 }, 'channel_settings_most_per_order_pesewas_check'],
      [{ most_per_order_pesewas: 99, most_per_day_pesewas: 99 }, 'channel_settings_most_per_day_pesewas_check'],
      [{ most_per_day_pesewas: 10_000_001 }, 'channel_settings_most_per_day_pesewas_check'],
    ],
    once: [{ columns: 'channel', other: {} }],
  },
  checker_codes: {
    row: { import_id: A, kind: 'bece', serial_hash: HASH, pin_hash: HASH, sealed: HASH, tail: '1234', unit_cost_pesewas: 1 },
    nowhere: [
      'import_id kind order_id replaces_id voided_by',
      { kind: 'none', order_id: A, sold_at: NOW, n: 1, replaces_id: 1, voided_at: NOW, void_reason: 'old', voided_by: A },
    ],
    taken: [
      { tail: '1', taken_back_at: NOW },
      { order_id: A, sold_at: NOW, n: 1 },
      { order_id: A, sold_at: NOW, n: 100, replaces_id: 1 },
      { order_id: A, sold_at: NOW, n: 1, voided_at: NOW, void_reason: 'old' },
      { voided_at: NOW, void_reason: 'old', voided_by: A },
      { order_id: A, sold_at: NOW, n: 1, voided_at: NOW, void_reason: x(300) },
    ],
    refused: [
      [{ order_id: A, n: 1 }, 'checker_codes_check'],
      [{ order_id: A, sold_at: NOW }, 'checker_codes_check'],
      [{ sold_at: NOW }, 'checker_codes_check'],
      [{ n: 1 }, 'checker_codes_check'],
      [{ order_id: A, sold_at: NOW, n: 1, voided_at: NOW }, 'checker_codes_voided'],
      [{ order_id: A, sold_at: NOW, n: 1, void_reason: 'old' }, 'checker_codes_voided'],
      [{ voided_at: NOW, void_reason: 'old' }, 'checker_codes_voided'],
      [{ voided_at: NOW, void_reason: 'old', voided_by: A, taken_back_at: NOW }, 'checker_codes_voided'],
      [{ order_id: A, sold_at: NOW, n: 1, taken_back_at: NOW }, 'checker_codes_check2'],
      [{ replaces_id: 1 }, 'checker_codes_check3'],
      [{ order_id: A, sold_at: NOW, n: 0 }, 'checker_codes_n_check'],
      [{ order_id: A, sold_at: NOW, n: 101 }, 'checker_codes_n_check'],
      [{ tail: '' }, 'checker_codes_tail_check'],
      [{ tail: '12345' }, 'checker_codes_tail_check'],
      [{ unit_cost_pesewas: 0 }, 'checker_codes_unit_cost_pesewas_check'],
      [{ order_id: A, sold_at: NOW, n: 1, voided_at: NOW, void_reason: 'no' }, 'checker_codes_void_reason_check'],
      [{ order_id: A, sold_at: NOW, n: 1, voided_at: NOW, void_reason: x(301) }, 'checker_codes_void_reason_check'],
    ],
    once: [
      { columns: 'kind, serial_hash', other: { pin_hash: HASH_2 } },
      { columns: 'kind, pin_hash', other: { serial_hash: HASH_2 } },
      { columns: 'order_id, n', other: { serial_hash: HASH_2, pin_hash: HASH_2 } },
      { columns: 'replaces_id', other: { serial_hash: HASH_2, pin_hash: HASH_2, n: 2 } },
    ],
    beside: [
      [{}, { kind: 'wassce' }],
      [{}, { taken_back_at: NOW }],
      [{ pin_hash: null }, { pin_hash: null, serial_hash: HASH_2 }],
    ],
  },
  checker_imports: {
    row: { kind: 'bece', distributor: 'Jo', unit_cost_pesewas: 1, codes: 1, imported_at: NOW },
    nowhere: ['imported_by kind taken_back_by', { kind: 'none', imported_by: A, taken_back_by: A }],
    otherwise: { file_name: '' },
    taken: [{ distributor: x(60), file_name: x(120), unit_cost_pesewas: 10_000_000, codes: 10_000 }],
    refused: [
      [{ codes: 0 }, 'checker_imports_codes_check'],
      [{ codes: 10_001 }, 'checker_imports_codes_check'],
      [{ distributor: 'J' }, 'checker_imports_distributor_check'],
      [{ distributor: ' Jo' }, 'checker_imports_distributor_check'],
      [{ distributor: x(61) }, 'checker_imports_distributor_check'],
      [{ file_name: x(121) }, 'checker_imports_file_name_check'],
      [{ unit_cost_pesewas: 0 }, 'checker_imports_unit_cost_pesewas_check'],
      [{ unit_cost_pesewas: 10_000_001 }, 'checker_imports_unit_cost_pesewas_check'],
    ],
    once: [{ columns: 'id', other: {} }],
  },
  checker_kinds: {
    row: { kind: 'k1', name: 'K1', portal: 'https://k' },
    otherwise: { low_stock: 20, told_at: null },
    taken: [
      { kind: `a${x(29)}`, name: x(30), portal: `https://k/${x(90)}`, low_stock: 0 },
      { kind: '1-', portal: 'https://a-1.gh/', low_stock: 100_000 },
    ],
    refused: [
      [{ kind: 'k' }, 'checker_kinds_kind_check'],
      [{ kind: '-k' }, 'checker_kinds_kind_check'],
      [{ kind: 'K1' }, 'checker_kinds_kind_check'],
      [{ kind: `a${x(30)}` }, 'checker_kinds_kind_check'],
      [{ low_stock: -1 }, 'checker_kinds_low_stock_check'],
      [{ low_stock: 100_001 }, 'checker_kinds_low_stock_check'],
      [{ name: 'K' }, 'checker_kinds_name_check'],
      [{ name: 'K1 ' }, 'checker_kinds_name_check'],
      [{ name: x(31) }, 'checker_kinds_name_check'],
      [{ portal: 'http://k' }, 'checker_kinds_portal_check'],
      [{ portal: 'https://k/a b' }, 'checker_kinds_portal_check'],
      [{ portal: `https://k/${x(91)}` }, 'checker_kinds_portal_check'],
    ],
    once: [{ columns: 'kind', other: { name: 'K2' } }],
  },
  checker_packages: {
    row: { product_id: A, offer: 'BECE', kind: 'bece' },
    nowhere: ['kind product_id', { kind: 'none' }],
    otherwise: { units: 1 },
    taken: [{ units: 1 }, { units: 10 }],
    refused: [
      [{ units: 0 }, 'checker_packages_units_check'],
      [{ units: 11 }, 'checker_packages_units_check'],
    ],
    once: [{ columns: 'product_id, offer', other: { kind: 'wassce' } }],
  },
  checker_vault: {
    row: { sealed_key: HASH },
    otherwise: { singleton: true },
    taken: [],
    refused: [[{ singleton: false }, 'checker_vault_singleton_check']],
    once: [{ columns: 'singleton', other: { sealed_key: HASH_2 } }],
  },
  conversations: {
    row: { channel: 'ussd', session: 's', phone: '0241234567', started_at: NOW, expires_at: NOW },
    nowhere: ['channel', { channel: 'fax' }],
    otherwise: { requests: [] },
    taken: [{ session: x(100) }],
    refused: [
      [{ phone: '024123456' }, 'conversations_phone_check'],
      [{ phone: '02412345678' }, 'conversations_phone_check'],
      [{ session: '' }, 'conversations_session_check'],
      [{ session: x(101) }, 'conversations_session_check'],
    ],
    once: [
      { columns: 'channel, session', other: { phone: '0241234568' } },
      { columns: 'id', other: { session: 't' } },
    ],
    beside: [[{}, { channel: 'whatsapp' }]],
  },
  message_formats: {
    row: {
      network: 'MTN',
      name: 'n',
      version: 1,
      is_on: true,
      kind: 'credit',
      words: 'w',
      senders: [],
      samples: ['s'],
      changed_by: A,
      changed_at: NOW,
    },
    nowhere: ['changed_by', {}],
    taken: [
      ...['money-out', 'failed', 'airtime', 'refund', 'interest', 'other'].map((kind) => ({ kind })),
      ...['Telecel', 'AirtelTigo', 'GhanaPay'].map((network) => ({ network })),
      { name: x(60), words: x(1000), senders: Array(5).fill('s'), samples: Array(10).fill('s') },
      { words: null, samples: [] },
    ],
    refused: [
      [{ samples: [] }, 'message_formats_check'],
      [{ kind: 'rumour' }, 'message_formats_kind_check'],
      [{ name: '' }, 'message_formats_name_check'],
      [{ name: x(61) }, 'message_formats_name_check'],
      [{ network: 'Glo' }, 'message_formats_network_check'],
      [{ samples: Array(11).fill('s') }, 'message_formats_samples_check'],
      [{ senders: Array(6).fill('s') }, 'message_formats_senders_check'],
      [{ version: 0 }, 'message_formats_version_check'],
      [{ words: '' }, 'message_formats_words_check'],
      [{ words: x(1001) }, 'message_formats_words_check'],
    ],
    once: [{ columns: 'network, name, version', other: { words: 'v' } }],
  },
  payment_claims: {
    row: { user_id: A, transaction_id: '1234', created_at: NOW, expires_at: LATER },
    nowhere: ['user_id', {}],
    taken: [{ transaction_id: 'A-z.' }, { transaction_id: x(40) }],
    refused: [
      [{ transaction_id: '123' }, 'payment_claims_transaction_id_check'],
      [{ transaction_id: x(41) }, 'payment_claims_transaction_id_check'],
      [{ transaction_id: '12 34' }, 'payment_claims_transaction_id_check'],
    ],
    once: [
      { columns: 'user_id, transaction_id', other: {} },
      { columns: 'id', other: { user_id: B } },
    ],
    beside: [[{}, { user_id: B }]],
  },
  pin_proofs: {
    row: { hash: HASH, user_id: A, expires_at: LATER },
    nowhere: ['user_id', {}],
    taken: [],
    refused: [],
    once: [{ columns: 'hash', other: { user_id: B } }],
  },
  transaction_pins: {
    row: { user_id: A, pin: HASH, at_checkout: true, changed_at: NOW },
    nowhere: ['user_id reset_message_id', { reset_message_id: A }],
    otherwise: { tries: 0, locks: 0, resets: 0, reset_tries: 0 },
    taken: [{ tries: 4, locks: 1 }],
    refused: [
      [{ locks: -1 }, 'transaction_pins_locks_check'],
      [{ tries: -1 }, 'transaction_pins_tries_check'],
      [{ tries: 5 }, 'transaction_pins_tries_check'],
    ],
    once: [
      { columns: 'user_id', other: { at_checkout: false } },
      { columns: 'reset_message_id', other: { user_id: B } },
    ],
    // Nobody has been sent a code.
    beside: [[{}, { user_id: B }]],
  },
  payout_codes: {
    row: { id: A, phone: '0241234567', asked_by: A, asked_at: NOW },
    otherwise: { wrong: 0 },
    taken: [{ asked_by: null }, { shop_id: A }, { phone: '0551234567', hash: HASH, ends_at: NOW, wrong: 5, used_at: NOW }],
    refused: [
      // A newcomer's code is for no shop's earnings.
      [{ asked_by: null, shop_id: A }, 'payout_codes_of_newcomer'],
      [{ hash: HASH }, 'payout_codes_check'],
      [{ ends_at: NOW }, 'payout_codes_check'],
      [{ used_at: NOW }, 'payout_codes_check1'],
      [{ hash: HASH.subarray(1), ends_at: NOW }, 'payout_codes_hash_check'],
      [{ phone: '0341234567' }, 'payout_codes_phone_check'],
      [{ phone: '02412345678' }, 'payout_codes_phone_check'],
      [{ wrong: -1 }, 'payout_codes_wrong_check'],
      [{ wrong: 6 }, 'payout_codes_wrong_check'],
    ],
    once: [{ columns: 'id', other: { phone: '0241234568' } }],
  },
  payments: {
    row: { reference: 'P', user_id: A, purpose: 'order', lines: '[]', price_pesewas: 5, surcharge_pesewas: 0, created_at: NOW },
    otherwise: { left_pesewas: 0, waits_for_staff: false },
    taken: [
      { ...PAID, left_pesewas: 1 },
      { ...PAID, left_pesewas: 5 },
    ],
    refused: [
      [{ ...PAID, left_pesewas: -1 }, 'payments_left'],
      [{ ...PAID, left_pesewas: 6 }, 'payments_left'],
      // Nothing has come.
      [{ left_pesewas: 1 }, 'payments_left'],
      // Neither a guest's nor a top-up leaves anything.
      [{ ...PAID, user_id: null, guest_phone: '0241234567', shop_id: A, left_pesewas: 1 }, 'payments_left'],
      [{ ...PAID, purpose: 'top-up', topped_up_pesewas: 5, left_pesewas: 1 }, 'payments_left'],
    ],
    once: [{ columns: 'reference', other: { user_id: B } }],
  },
  ussd_phones: {
    row: { user_id: A, phone: '0241234567', confirmed_at: NOW },
    nowhere: ['user_id', {}],
    taken: [],
    refused: [
      [{ phone: '024123456' }, 'ussd_phones_phone_check'],
      [{ phone: '02412345678' }, 'ussd_phones_phone_check'],
    ],
    once: [{ columns: 'user_id', other: { phone: '0241234568' } }],
  },
  ussd_settings: {
    row: { secret_hash: null },
    otherwise: { gateway: 'arkesel', most_characters: 160, addresses: [] },
    taken: [
      { gateway: 'nalo', most_characters: 100, secret_hash: HASH },
      { gateway: 'hubtel', most_characters: 182, addresses: Array(50).fill('10.0.0.1') },
    ],
    refused: [
      [{ addresses: Array(51).fill('10.0.0.1') }, 'ussd_settings_addresses_check'],
      [{ gateway: 'pigeon' }, 'ussd_settings_gateway_check'],
      [{ most_characters: 99 }, 'ussd_settings_most_characters_check'],
      [{ most_characters: 183 }, 'ussd_settings_most_characters_check'],
      [{ secret_hash: HASH.subarray(1) }, 'ussd_settings_secret_hash_check'],
      [{ singleton: false }, 'ussd_settings_singleton_check'],
    ],
    once: [{ columns: 'singleton', other: { gateway: 'nalo' } }],
  },
  whatsapp_chats: {
    row: { phone: '0241234567', heard_at: NOW },
    taken: [],
    refused: [
      [{ phone: '1241234567' }, 'whatsapp_chats_phone_check'],
      [{ phone: '024123456' }, 'whatsapp_chats_phone_check'],
      [{ phone: '02412345678' }, 'whatsapp_chats_phone_check'],
    ],
    once: [{ columns: 'phone', other: {} }],
  },
  whatsapp_claims: {
    row: { id: 'm', by: A, until: NOW },
    taken: [{ id: x(200) }, { session: 's' }],
    refused: [
      [{ id: '' }, 'whatsapp_claims_id_check'],
      [{ id: x(201) }, 'whatsapp_claims_id_check'],
    ],
    once: [{ columns: 'id', other: { by: B } }],
  },
  whatsapp_days: {
    row: { day: '2026-12-01' },
    otherwise: { used: 0, warned: false, full_warned: false },
    taken: [{ used: 1 }],
    refused: [[{ used: -1 }, 'whatsapp_days_used_check']],
    once: [{ columns: 'day', other: { used: 1 } }],
  },
  whatsapp_links: {
    row: { user_id: A, phone: '0241234567', linked_at: NOW },
    nowhere: ['user_id', {}],
    otherwise: { code_tries: 0 },
    taken: [
      { linked_at: null, code_hash: HASH, code_until: NOW, code_tries: 5 },
      { code_hash: HASH, code_until: NOW },
    ],
    refused: [
      [{ code_hash: HASH }, 'whatsapp_links_check'],
      [{ code_until: NOW }, 'whatsapp_links_check'],
      [{ linked_at: null }, 'whatsapp_links_check1'],
      [{ code_hash: HASH.subarray(1), code_until: NOW }, 'whatsapp_links_code_hash_check'],
      [{ code_tries: -1 }, 'whatsapp_links_code_tries_check'],
      [{ code_tries: 6 }, 'whatsapp_links_code_tries_check'],
      [{ phone: '1241234567' }, 'whatsapp_links_phone_check'],
      [{ phone: '024123456' }, 'whatsapp_links_phone_check'],
      [{ phone: '02412345678' }, 'whatsapp_links_phone_check'],
    ],
    once: [
      { columns: 'phone', other: { user_id: B } },
      { columns: 'user_id', other: { phone: '0241234568' } },
    ],
    beside: [[{}, { user_id: B, linked_at: null, code_hash: HASH, code_until: NOW }]],
  },
  whatsapp_messages: {
    row: { kind: 'test', phone: '0241234567', body: '{}', status: 'waiting', created_at: NOW, updated_at: NOW },
    nowhere: ['order_id', { kind: 'delivered', order_id: A }],
    otherwise: { detail: '', attempts: 0 },
    taken: [
      ...['sending', 'sent', 'failed', 'unknown', 'over-cap', 'left-out'].map((status) => ({ status })),
      { kind: 'reply', reply_to: 'm' },
      { kind: 'delivered', order_id: A },
      { kind: 'refunded', order_id: A },
      { kind: 'unnumbered', phone: null },
    ],
    refused: [
      [{ kind: 'unnumbered' }, 'whatsapp_messages_unnumbered_check'],
      [{ phone: null }, 'whatsapp_messages_unnumbered_check'],
      [{ reply_to: 'm' }, 'whatsapp_messages_check'],
      [{ kind: 'reply' }, 'whatsapp_messages_check'],
      [{ order_id: A }, 'whatsapp_messages_check1'],
      [{ kind: 'delivered' }, 'whatsapp_messages_check1'],
      [{ kind: 'refunded' }, 'whatsapp_messages_check1'],
      [{ kind: 'advert' }, 'whatsapp_messages_kind_check'],
      [{ phone: '1241234567' }, 'whatsapp_messages_phone_check'],
      [{ phone: '024123456' }, 'whatsapp_messages_phone_check'],
      [{ phone: '02412345678' }, 'whatsapp_messages_phone_check'],
      [{ status: 'lost' }, 'whatsapp_messages_status_check'],
    ],
    once: [
      { columns: 'order_id, kind', other: {} },
      { columns: 'provider_id', other: {} },
      { columns: 'reply_to', other: {} },
      { columns: 'id', other: {} },
    ],
    beside: [
      [
        { kind: 'delivered', order_id: A },
        { kind: 'refunded', order_id: A },
      ],
    ],
  },
  whatsapp_received: {
    row: { id: 'm', phone: '0241234567', received_at: NOW },
    taken: [{ id: x(200) }],
    refused: [
      [{ id: '' }, 'whatsapp_received_id_check'],
      [{ id: x(201) }, 'whatsapp_received_id_check'],
    ],
    once: [{ columns: 'id', other: { phone: '0241234568' } }],
  },
  whatsapp_settings: {
    row: { template: null },
    otherwise: { daily_cap: 1000, template_language: 'en' },
    taken: [
      { daily_cap: 0 },
      { daily_cap: 100_000, template: 'order_news_2', template_language: 'en_US' },
      { template: x(512), template_language: 'fil' },
    ],
    refused: [
      [{ daily_cap: -1 }, 'whatsapp_settings_daily_cap_check'],
      [{ daily_cap: 100_001 }, 'whatsapp_settings_daily_cap_check'],
      [{ id: false }, 'whatsapp_settings_id_check'],
      [{ template: '' }, 'whatsapp_settings_template_check'],
      [{ template: 'Order' }, 'whatsapp_settings_template_check'],
      [{ template: x(513) }, 'whatsapp_settings_template_check'],
      [{ template_language: 'e' }, 'whatsapp_settings_template_language_check'],
      [{ template_language: 'en-US' }, 'whatsapp_settings_template_language_check'],
    ],
    once: [{ columns: 'id', other: {} }],
  },
  withdrawals: {
    row: {
      ...{
        shop_id: A,
        requested_by: A,
        key: 'k',
        reference: x(20),
        amount_pesewas: 1,
        fee_pesewas: 0,
        network: 'MTN',
        phone: '0241234567',
      },
      ...{ name: 'Jo', new_number: false, status: 'approval', unapproved: false, created_at: NOW },
    },
    otherwise: { asks: 0, not_found: 0 },
    nowhere: ['decided_by requested_by shop_id', { decided_by: A }],
    taken: [
      { key: x(100), reference: x(40), name: x(60), amount_pesewas: 2, fee_pesewas: 1 },
      ...['Telecel', 'AirtelTigo'].map((network) => ({ network })),
      ...['ready', 'sending', 'accepted', 'unknown'].map((status) => ({ status })),
      ...['paid', 'failed', 'declined', 'cancelled', 'reversed'].map((status) => ({ status, ended_at: NOW })),
      { status: 'paid', ended_at: NOW, hand_transaction_id: 'h' },
    ],
    refused: [
      [{ amount_pesewas: 0, fee_pesewas: -1 }, 'withdrawals_amount_pesewas_check'],
      [{ status: 'failed', ended_at: NOW, hand_transaction_id: 'h' }, 'withdrawals_check'],
      [{ fee_pesewas: -1 }, 'withdrawals_check1'],
      [{ fee_pesewas: 1 }, 'withdrawals_check1'],
      [{ ended_at: NOW }, 'withdrawals_check2'],
      [{ status: 'ready', ended_at: NOW }, 'withdrawals_check2'],
      [{ status: 'sending', ended_at: NOW }, 'withdrawals_check2'],
      [{ status: 'accepted', ended_at: NOW }, 'withdrawals_check2'],
      [{ status: 'unknown', ended_at: NOW }, 'withdrawals_check2'],
      ...['paid', 'failed', 'declined', 'cancelled', 'reversed'].map((status): [Row, string] => [{ status }, 'withdrawals_check2']),
      [{ key: '' }, 'withdrawals_key_check'],
      [{ key: x(101) }, 'withdrawals_key_check'],
      [{ name: 'J' }, 'withdrawals_name_check'],
      [{ name: x(61) }, 'withdrawals_name_check'],
      [{ network: 'GhanaPay' }, 'withdrawals_network_check'],
      [{ phone: '024123456' }, 'withdrawals_phone_check'],
      [{ phone: '02412345678' }, 'withdrawals_phone_check'],
      [{ reference: x(19) }, 'withdrawals_reference_check'],
      [{ reference: x(41) }, 'withdrawals_reference_check'],
      [{ reference: x(20).toUpperCase() }, 'withdrawals_reference_check'],
      [{ status: 'lost', ended_at: NOW }, 'withdrawals_status_check'],
    ],
    once: [
      { columns: 'shop_id, key', other: { reference: x(21) } },
      { columns: 'reference', other: { key: 'l' } },
      { columns: 'network, hand_transaction_id', other: { key: 'l', reference: x(21) } },
      { columns: 'id', other: { key: 'l', reference: x(21) } },
    ],
  },
  whatsapp_statuses: {
    row: { provider_id: 'p', status: 'sent', at: NOW, reason: '' },
    taken: [{ provider_id: x(200) }, ...['delivered', 'read', 'failed'].map((status) => ({ status }))],
    refused: [
      [{ provider_id: '' }, 'whatsapp_statuses_provider_id_check'],
      [{ provider_id: x(201) }, 'whatsapp_statuses_provider_id_check'],
      [{ status: 'eaten' }, 'whatsapp_statuses_status_check'],
    ],
    once: [{ columns: 'provider_id, status', other: { reason: 'r' } }],
  },
}

let database: TestDatabase
let client: pg.PoolClient

beforeAll(async () => {
  database = await openTestDatabase()
  client = await database.db.connect()
  // Copies without triggers and foreign keys, so that a row needs no other rows: their checks and unique indexes are what is tried.
  for (const table of Object.keys(RULES)) await client.query(`create temp table ${table} (like public.${table} including all)`)
})
afterAll(async () => {
  client.release()
  await database.close()
})

/** What refuses these rows of a table, one after the other: a constraint's name, the columns of which there is one already, or nothing. */
async function refusal(table: string, ...rows: Row[]): Promise<string | null> {
  await client.query('begin')
  try {
    for (const row of rows) {
      const columns = Object.keys(row)
      const values = columns.map((_, index) => `$${index + 1}`)
      await client.query(`insert into ${table} (${columns}) values (${values})`, Object.values(row))
    }
    return null
  } catch (error) {
    if (!(error instanceof pg.DatabaseError)) throw error
    return error.code === '23505' ? (error.detail?.match(/\((.*?)\)=/)?.[1] ?? null) : (error.constraint ?? error.message)
  } finally {
    await client.query('rollback')
  }
}

describe.each(Object.entries(RULES))('%s', (table, { row, otherwise = {}, taken, refused, once = [], beside = [], nowhere }) => {
  test('has what is usual where nothing was said', async () => {
    const columns = Object.keys(row)
    await client.query('begin')
    try {
      const { rows } = await client.query(
        `insert into ${table} (${columns}) values (${columns.map((_, index) => `$${index + 1}`)}) returning *`,
        Object.values(row),
      )
      expect(rows).toMatchObject([otherwise])
    } finally {
      await client.query('rollback')
    }
  })

  test('takes what is allowed', async () => {
    for (const change of [{}, ...taken]) expect([change, await refusal(table, { ...row, ...change })]).toEqual([change, null])
  })

  test('refuses everything else', async () => {
    for (const [change, constraint] of refused) expect([change, await refusal(table, { ...row, ...change })]).toEqual([change, constraint])
  })

  test('has once what there is once', async () => {
    for (const { columns, other } of once) {
      // A column that is empty otherwise says the same in both rows.
      const same = columns.split(', ').every((column) => column in row) ? row : { ...row, ...filled(table, columns) }
      expect([columns, await refusal(table, same, { ...same, ...other })]).toEqual([columns, columns])
    }
    for (const [one, other] of beside) {
      expect([one, other, await refusal(table, { ...row, ...one }, { ...row, ...other })]).toEqual([one, other, null])
    }
  })

  test('names only what is there', async () => {
    if (nowhere) expect(await strangers(table, { ...row, ...nowhere[1] })).toEqual(nowhere[0].split(' ').toSorted())
  })
})

/** The columns of a row that name what is not there, one after the other. The table's own triggers are left out. */
async function strangers(table: string, row: Row): Promise<string[]> {
  const [columns, values] = [Object.keys(row), Object.values(row)]
  const found: string[] = []
  await client.query('begin')
  try {
    await client.query(`alter table public.${table} disable trigger user; delete from public.${table}`)
    for (;;) {
      await client.query('savepoint before_it')
      try {
        await client.query(`insert into public.${table} (${columns}) values (${values.map((_, index) => `$${index + 1}`)})`, values)
        return found.toSorted()
      } catch (error) {
        if (!(error instanceof pg.DatabaseError) || error.code !== '23503') throw error
        await client.query(`rollback to before_it; alter table public.${table} drop constraint ${error.constraint}`)
        found.push(error.constraint?.slice(table.length + 1, -'_fkey'.length) ?? '')
      }
    }
  } finally {
    await client.query('rollback')
  }
}

/** A value for columns that the usual row leaves empty, with what has to go with it. */
function filled(table: string, column: string): Row {
  if (column === 'corrects') return { corrects: 1, note: 'n' }
  if (column === 'singleton' || table === 'whatsapp_settings') return { [column]: true }
  if (table === 'withdrawals' && column !== 'id') return { status: 'paid', ended_at: NOW, hand_transaction_id: 'h' }
  if (table === 'checker_codes') return { order_id: A, sold_at: NOW, n: 1, ...(column === 'replaces_id' && { replaces_id: 1 }) }
  if (column === 'order_id, kind') return { kind: 'delivered', order_id: A }
  if (column === 'reply_to') return { kind: 'reply', reply_to: 'm' }
  if (table === 'reports') return { status: 'resent', ended_at: NOW, resend_reference: 'R12345' }
  return { [column]: C }
}
