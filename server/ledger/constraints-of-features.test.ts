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
}

const NOW = new Date('2026-11-21T12:00:00Z')
const LATER = new Date('2026-11-21T12:00:01Z')
const [A, B, C] = [randomUUID(), randomUUID(), randomUUID()]
const HASH = createHash('sha256').update('a').digest()
const HASH_2 = createHash('sha256').update('b').digest()
const x = (times: number) => 'x'.repeat(times)

/** What the tables of agents, refunds and deliveries must refuse by themselves, whatever the code does. */
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

describe.each(Object.entries(RULES))('%s', (table, { row, taken, refused, once = [] }) => {
  test('takes what is allowed', async () => {
    for (const change of [{}, ...taken]) expect([change, await refusal(table, { ...row, ...change })]).toEqual([change, null])
  })

  test('refuses everything else', async () => {
    for (const [change, constraint] of refused) expect([change, await refusal(table, { ...row, ...change })]).toEqual([change, constraint])
  })

  test('has once what there is once', async () => {
    for (const { columns, other } of once) {
      // A column that is empty otherwise says the same in both rows.
      const same = columns in row || columns.includes(',') ? row : { ...row, ...filled(table, columns) }
      expect([columns, await refusal(table, same, { ...same, ...other })]).toEqual([columns, columns])
    }
  })
})

/** A value for a column that the usual row leaves empty, with what has to go with it. */
function filled(table: string, column: string): Row {
  if (column === 'corrects') return { corrects: 1, note: 'n' }
  if (table === 'reports') return { status: 'resent', ended_at: NOW, resend_reference: 'R12345' }
  return { [column]: C }
}
