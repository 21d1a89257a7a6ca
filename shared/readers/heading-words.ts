import type { HeadingWords } from './read-table.ts'

/** All that these beginnings and ends make together: "phone no", "mobile number". */
function both(beginnings: string, ends: string): string {
  return beginnings
    .split('|')
    .flatMap((begin) => ends.split('|').map((end) => `${begin} ${end}`.trim()))
    .join('|')
}

const NUMBER_ENDS = '|no|nos|num|number|numbers|#'

/** The columns of mobile-money statements of the networks, of banks' and of their apps' files. */
export const STATEMENT_WORDS = {
  transactionId: [
    'Transaction ID',
    'f id|fid|financial transaction id|financial trans id',
    both('transaction|trans|txn|trx|tx|tran', 'id|no|num|number|ref|reference|ref no|reference no|reference number|code|#'),
    both('receipt|e receipt|momo id|external id', NUMBER_ENDS),
    'transid|transactionid|txnid|id|document no|cheque no',
  ],
  at: [
    'Date and time',
    both('transaction|trans|txn|completion|completed|payment|posting|posted|process', 'date|date time|date and time|datetime') +
      '|completion time|date time|date and time|datetime|timestamp',
    'date|created|created at|created on|initiation time|start time|booking date|entry date|post date|tran date',
    'value date',
  ],
  time: ['Time alone', 'time|transaction time|trans time|time of transaction'],
  amount: [
    'Amount',
    'amount|transaction amount|trans amount|txn amount|amount ghs|actual amount|net amount|amount net|net|net value|amount settled|settled amount|settlement amount|amt|transaction value|value',
  ],
  in: [
    'Money in',
    'in|received amount|amount received|paid in|money in|credit|credits|credit amount|cr amount|amount in|deposit|deposits|amount credited|received|cr|inflow|inward',
  ],
  out: [
    'Money out',
    'out|sent amount|amount sent|paid out|money out|debit|debits|debit amount|dr amount|amount out|withdrawn|withdrawal|withdrawals|amount debited|dr|outflow|outward',
  ],
  direction: [
    'In or out',
    'dr cr|cr dr|drcr|crdr|d c|c d|debit credit|credit debit|dr cr indicator|cr dr indicator|direction|in out|indicator|sign|dc|dr cr flag|debit or credit|transaction direction',
  ],
  status: ['Status', 'status|transaction status|trans status|txn status|state|result|payment status'],
  type: [
    'Kind of transaction',
    'trans type|transaction type|txn type|type|tran type|transaction kind',
    'transaction|service|service type|reason type|kind|payment type|category',
  ],
  payer: [
    'From: name',
    'from name|sender name|payer name|name of sender|name of payer|sender|payer|from|paid by|received from|customer name|depositor|remitter',
    'name|customer|full name|counterparty|counterparty name|opposite party|other party',
  ],
  payerPhone: [
    'From: number',
    both('from|sender|payer|from mobile|from phone|from account|sender mobile|sender phone', 'no|number|msisdn|phone|mobile') +
      '|from msisdn|sender msisdn',
    both('msisdn|phone|mobile|mobile phone|telephone|customer msisdn|customer|customer phone|wallet|momo', NUMBER_ENDS),
  ],
  reference: [
    'Reference',
    'reference|ref|payment reference|customer reference|user reference|payment ref',
    'note|notes|message|narration|remarks|remark|comment|comments|purpose',
  ],
  details: ['Details', 'details|description|particulars|narrative|transaction details|transaction description|trans details'],
  balanceBefore: [
    'Balance before',
    'bal before|balance before|opening balance|opening|previous balance|pre balance|before balance|balance b f',
  ],
  balance: [
    'Balance after',
    'bal after|balance after|closing balance|running balance|new balance|after balance|post balance|available balance',
    'balance|bal|current balance|ledger balance',
  ],
  receiver: [
    'To',
    'to name|to|receiver|receiver name|recipient|recipient name|beneficiary|beneficiary name|paid to|payee',
    both('to|receiver|recipient|to mobile|to account', 'no|number|msisdn|phone'),
  ],
  fee: ['Fee', 'fee|fees|charge|charges|e levy|elevy|tax|tax amount|commission|transaction fee|trans fee|service charge'],
} as const satisfies HeadingWords<string>
export type StatementRole = keyof typeof STATEMENT_WORDS

const CARD = '|waec|wassce|bece|card|voucher|result checker|checker|scratch card|e|novdec|shs'

/** Headings of distributors' lists of result checkers. "VOUCHER" and "S/N" alone may be either, so they are asked about. */
export const CHECKER_WORDS = {
  serial: [
    'Serial',
    both(CARD, `serial|${both('serial', 'no|nos|num|number|numbers|code|id|#')}|serialno|serialnumber|serials|ser no|serial s no`),
  ],
  pin: ['PIN', both(CARD, `pin|${both('pin', 'no|nos|num|number|numbers|code|#')}|pinno|pincode|pinnumber|pins`)],
} as const satisfies HeadingWords<string>
export type CheckerRole = keyof typeof CHECKER_WORDS

const PEOPLE =
  '|phone|mobile|mobile phone|momo|tel|telephone|cell|cellphone|contact|customer|customer s|beneficiary|receiver|receiver s|recipient|whatsapp|subscriber|msisdn|client'
const SIZES =
  'data|bundle|bundles|package|packages|offer|offers|size|volume|plan|data size|data bundle|data package|data plan|data volume|bundle size|package size|data amount|data offer|capacity'

/** Headings of lists of numbers and sizes. "Amount" and "Price" are money. */
export const LIST_WORDS = {
  number: [
    'Phone number',
    both(PEOPLE, `msisdn|phone|number|numbers`) +
      `|${both(PEOPLE.slice(1), 'no|nos|num|nr|#')}` +
      '|phone|phones|mobile|tel|telephone|cell|msisdn|contact|contacts|receiver|receivers|recipient|recipients|beneficiary|whatsapp|phone num|momo',
    'no|nos|num|nr|#',
  ],
  size: ['Size', `gb|gbs|gigs|gig|mb|mbs|${SIZES}|${both(SIZES, 'gb|in gb|gbs|gigs|mb|in mb|mbs')}|gb size|mb size|gigabytes|megabytes`],
  name: [
    'Name',
    both('|full|first|customer|client|staff|beneficiary|receiver|recipient|subscriber|student|member', 'name|names') +
      '|customer|customers|client|clients|staff|surname',
  ],
  network: ['Network', 'network|operator|telco|provider|carrier|net'],
  quantity: ['How many', 'qty|quantity|how many|count|no of bundles|pieces|pcs'],
  money: ['Money', 'amount|price|cost|ghs|amount ghs|price ghs|cedis|total|paid|amount paid|value|fee|rate'],
} as const satisfies HeadingWords<string>
export type ListRole = keyof typeof LIST_WORDS

/** Headings of what suppliers' portals say of orders. */
export const RESULT_WORDS = {
  number: LIST_WORDS.number,
  size: [...LIST_WORDS.size, 'requested|ordered|requested size|requested data|ordered size'],
  network: LIST_WORDS.network,
  state: [
    'What happened',
    'status|order status|delivery status|transaction status',
    'state|result|delivery|outcome|delivered',
    'remarks|remark|response|message|status message',
  ],
} as const satisfies HeadingWords<string>
export type ResultRole = keyof typeof RESULT_WORDS
