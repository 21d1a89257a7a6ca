import { askAbove, governRows } from './governed-rows.ts'
import type { StatementRole } from './heading-words.ts'
import { AGAINST, toMap } from './phrases.ts'
import { readAmount } from './read-amount.ts'
import { type Answers, askDates, dateFormOf, decimalSignOf, findDamage, type Question, Questions, type Reply } from './read-column.ts'
import { isUnlikelyTime, readDate } from './read-date.ts'
import { readPhone } from './read-phone.ts'
import { type Columns, longerProblem, normalHeading, rowsLeft, type TableRows, TOTAL } from './read-table.ts'
import { type DecimalSign, plainText, type Reading, valueIn } from './reading.ts'
import { type Said, speaksAgainst, watchUnread } from './unread-columns.ts'

export type StatementKind = 'in' | 'out' | 'failed' | 'open' | 'other' | 'doubtful'

/** One row of a statement. `reasons` say what keeps it from being certain: without them `in` is money that came. Amounts in pesewas. */
export type StatementLine = {
  line: number
  /** The row as it came. */
  text: string
  kind: StatementKind
  reasons: string[]
  transactionId: string
  amountPesewas: number | null
  balancePesewas: number | null
  payer: string | null
  payerPhone: string | null
  reference: string | null
  at: Date | null
}

export type ReadStatement = Reply<StatementRole> & { lines: StatementLine[] }

/**
 * The rows of a statement. Only a row whose status, direction and signs agree that money came in is `in`. A word that is not known is a
 * question, and until `answers` settles it its rows are doubtful. `now`: dates that can't be of this time are doubtful.
 */
export function readStatement(
  { headings, rows, columns }: TableRows<StatementRole>,
  answers: Answers = {},
  now: Date | null = null,
): ReadStatement {
  const missing: StatementRole[] = []
  // Where every heading is another's, there is no column of IDs to choose: the rows then say that they have none.
  const { reference: _mayBeOne, ...others } = columns
  const mayHaveIds = headings.length === 0 || headings.some((heading, at) => heading !== '' && !Object.values(others).includes(at))
  if (columns.transactionId === undefined && mayHaveIds) missing.push('transactionId')
  if (columns.amount === undefined && columns.in === undefined) missing.push('amount')
  if (missing.length > 0) return { lines: [], questions: [], missing }

  const cellsOf = (role: StatementRole) =>
    columns[role] === undefined ? [] : rows.map(({ cells }) => cells[columns[role] as number] ?? '')
  const amounts = (['amount', 'in', 'out', 'balance', 'balanceBefore'] as const).flatMap(cellsOf)
  const decimalSign = decimalSignOf(amounts) ?? (['.', ','] as const).find((sign) => sign === answers['decimal'])
  const dates = cellsOf('at')
  const form = dateFormOf(dates)
  const order = form.order ?? (['dmy', 'mdy'] as const).find((one) => one === answers['dates'])
  const { damageOf } = findDamage(cellsOf('transactionId').map(cleanId), { isOneLength: false })
  const asked = new Questions(answers)
  const context: Context = {
    columns,
    headings,
    amountOf: (text) => readSigned(text, decimalSign),
    dateOf: (text) => readDate(text, { order, clock: form.clock }),
    damageOf,
    asked,
    hasStatus: cellsOf('status').some((cell) => wordOf(cell) !== ''),
    unread: watchUnread({ headings, rows }, Object.values(columns), asked, (cell, heading) => speaksAgainst(cell, heading)),
    isFromOnly:
      columns.receiver === undefined &&
      /^(?:from|sender|payer|name of|received from|depositor|paid by|remitter)/.test(normalHeading(headings[columns.payer ?? -1] ?? '')),
  }
  const read = compareBalances(governRows(rows).flatMap(({ row, under }) => readRow({ ...row, under }, context) ?? []))
  const lines = read.map((line) =>
    now && line.kind === 'in' && line.at && isUnlikelyTime(line.at, now) ? { ...line, reasons: [...line.reasons, OTHER_TIME] } : line,
  )
  return {
    lines,
    questions: [...askDecimal(amounts, decimalSign), ...(order ? [] : askDates(dates, form)), ...asked.open()],
    leftOut: [rowsLeft(rows.length - lines.length, 'without a transaction ID or an amount')],
    missing,
  }
}

type Way = 'in' | 'out'
type Signed = { reading: Reading<number>; way: Way | null }
type Context = {
  columns: Columns<StatementRole>
  headings: readonly string[]
  amountOf: (text: string) => Signed
  dateOf: (text: string) => ReturnType<typeof readDate>
  damageOf: (cell: string) => string | null
  asked: Questions
  /** A status on some rows: one without it is not known to have succeeded. */
  hasStatus: boolean
  unread: (cells: readonly string[]) => Said
  isFromOnly: boolean
}

/** Null for a row with neither a transaction ID nor an amount, such as a note. */
function readRow(
  { line, cells, under }: { line: number; cells: readonly string[]; under: string | null },
  context: Context,
): StatementLine | null {
  const { columns, headings, amountOf, dateOf, damageOf, asked } = context
  const text = (role: StatementRole) => plainText(columns[role] === undefined ? '' : (cells[columns[role]] ?? ''))
  const id = cleanId(text('transactionId'))
  const [amount, into, out] = (['amount', 'in', 'out'] as const).map((role) => amountOf(text(role))) as [Signed, Signed, Signed]
  const said = [amount, into, out].filter(({ reading }) => reading.kind === 'doubtful' || (valueIn(reading) ?? 0) !== 0)
  if (id === '' && said.length === 0) return null
  const isTotal = !/\d/.test(id) && cells.some((cell) => TOTAL.test(normalHeading(cell)))

  const reasons: string[] = []
  let isUnclear = false
  const doubt = (reason: string) => {
    reasons.push(reason)
    isUnclear = true
  }
  const longer = longerProblem(headings, cells)
  if (longer) doubt(longer)
  if (id === '' && columns.transactionId !== undefined) doubt(NO_ID)
  else if (damageOf(id) !== null) doubt('A spreadsheet has cut this transaction ID. Make its column text, and save the file again.')
  else if (!/^(?:(?=.*\d)[A-Za-z0-9.-]{4,40})?$/.test(id)) doubt('That is not a transaction ID.')
  if (said.length === 0) doubt('There is no amount.')
  if (said.length > 1) doubt('There is more than one amount on this row.')
  const [only] = said
  if (only?.reading.kind === 'doubtful') doubt(only.reading.reasons[0] ?? 'We can’t read this amount.')
  const amountPesewas = only ? valueIn(only.reading) : null
  const [before, after] = [balanceOf(amountOf(text('balanceBefore'))), balanceOf(amountOf(text('balance')))]

  const outcome = context.hasStatus ? outcomeOf(text('status'), asked) : 'done'
  const ways = new Set<Way>()
  // An amount below zero in the column of money out is money out.
  if (only?.way && only !== out) ways.add(only.way)
  if (only === into) ways.add('in')
  if (only === out) ways.add('out')
  const told = wayOf('direction', text('direction'), DIRECTION_WORDS, asked)
  if (told === 'in' || told === 'out') ways.add(told)
  if (before !== null && after !== null && before !== after) ways.add(after > before ? 'in' : 'out')
  const type = normalHeading(text('type'))
  const kindOfType = TYPES.get(type)
  if (kindOfType === 'in' || kindOfType === 'out') ways.add(kindOfType)
  let isTold = kindOfType !== undefined
  let isOther = isTotal || kindOfType === 'other' || told === 'other'
  if (ways.size === 0 && told !== 'unknown' && !isOther) {
    const byDetails = RECEIVED.test(text('details')) ? 'in' : SENT.test(text('details')) ? 'out' : null
    // A kind of transaction that says nothing by itself leaves it open, whoever it is from.
    const byFrom = context.isFromOnly && type === '' ? 'in' : null
    const guessed = byDetails ?? byFrom ?? wayOfFile(type, context.isFromOnly ? undefined : kindOfType, asked)
    if (byDetails === null && byFrom === null) isTold = true
    if (guessed === 'in' || guessed === 'out') ways.add(guessed)
    else if (guessed === 'other') isOther = true
    else doubt('It doesn’t say whether this came in or went out.')
  }
  if (told === 'unknown') doubt(`We don’t know what “${text('direction')}” means here.`)
  if (outcome === 'unknown') doubt(text('status') === '' ? 'It has no status.' : `We don’t know what “${text('status')}” means here.`)
  if (ways.size > 1) doubt('This row says both that money came in and that it went out.')
  const isIn = ways.size === 1 && ways.has('in')
  if (isIn && id === '' && columns.transactionId === undefined) doubt(NO_ID)
  const about = `${isTold ? '' : type} ${normalHeading(text('details'))}`
  const isAgainst = UNLIKE_A_PAYMENT.test(about) || AGAINST.test(about) || isNoPayment(text('reference'))
  if (isIn && !isOther && isAgainst) doubt('Its words speak of a reversal, a loan or a fee. Look at it yourself.')
  const fee = valueIn(amountOf(text('fee')).reading) ?? 0
  const change = before === null || after === null ? amountPesewas : after - before
  if (isIn && amountPesewas !== null && change !== amountPesewas && change !== amountPesewas - fee) doubt(OTHER_BALANCE)
  const isSettled = outcome === 'failed' || outcome === 'open'
  const payer = [text('payer'), text('payerPhone')].find((cell) => damageOf(cell) === 'cut')
  if (isIn && payer !== undefined) doubt(`A spreadsheet has cut the payer’s number: “${payer}”.`)
  const above = ways.has('in') && !isSettled && !isOther ? askAbove(under, asked) : null
  if (above?.reason) doubt(above.reason)
  if (above?.isOut) isOther = true
  const others = ways.has('in') && !isSettled && !isTotal ? context.unread(cells) : null
  for (const reason of others?.reasons ?? []) doubt(reason)
  if (others?.isOut) isOther = true

  const date = dateOf(withTime(text('at'), text('time')))
  if (date.kind === 'doubtful') reasons.push(...date.reasons)
  return {
    line,
    text: cells
      .filter((cell) => cell !== '')
      .join(' · ')
      .slice(0, 400),
    kind: isSettled ? outcome : isTotal ? 'other' : isUnclear ? 'doubtful' : isOther ? 'other' : isIn ? 'in' : 'out',
    reasons: isSettled || isTotal ? [] : reasons,
    transactionId: id.slice(0, 40),
    amountPesewas,
    balancePesewas: after,
    payer: text('payer').slice(0, 120) || null,
    payerPhone: valueIn(readPhone(text('payerPhone'))),
    reference: text('reference').slice(0, 200) || null,
    at: valueIn(date)?.at ?? null,
  }
}

const NO_ID = 'There is no transaction ID.'
const OTHER_TIME = 'Its date is still to come, or more than a year ago.'
const OTHER_BALANCE = 'The balances don’t agree with this amount.'

/** Money that came in must not lower the balance by its amount, in the order, up or down, in which more of the rows agree. */
function compareBalances(lines: readonly StatementLine[]): StatementLine[] {
  const changes = [-1, 1].map((next) =>
    lines.map(({ balancePesewas }, at) => {
      const before = lines[at + next]?.balancePesewas
      return balancePesewas === null || before === null || before === undefined ? null : balancePesewas - before
    }),
  )
  const fitting = changes.map((those) => those.filter((change, at) => Math.abs(change ?? 0) === lines[at]?.amountPesewas).length)
  const orders = changes.filter((_, at) => fitting[at] === Math.max(...fitting))
  return lines.map((line, at) => {
    const amount = line.amountPesewas ?? 0
    const isContradicted =
      line.kind === 'in' && orders.some((those) => those[at] === -amount) && !orders.some((those) => those[at] === amount)
    return isContradicted ? { ...line, kind: 'doubtful', reasons: [...line.reasons, OTHER_BALANCE] } : line
  })
}

function cleanId(cell: string): string {
  return plainText(cell)
    .replace(/^['’]/, '')
    .replace(/(\d)\.0$/, '$1')
}

function balanceOf({ reading, way }: Signed): number | null {
  const pesewas = valueIn(reading)
  return pesewas === null ? null : way === 'out' ? -pesewas : pesewas
}

/** An amount with the marks of its direction: a sign, brackets, "CR" or "DR". */
function readSigned(text: string, decimalSign: DecimalSign | undefined): Signed {
  const plain = plainText(text)
  if (/^[-–—]?$|^(?:n\/?a|nil)$/i.test(plain)) return { reading: { kind: 'nothing' }, way: null }
  const [, bracketed] = /^\((.*)\)$/.exec(plain) ?? []
  const [, front = '', amount = '', end = ''] = /^([-+]|[cd]r\.?(?=[\s\d]))? ?(.*?) ?([-+]|[cd]r\.?)?$/i.exec(bracketed ?? plain) ?? []
  const ways = new Set([front, end].filter(Boolean).map((mark): Way => (/^[-d]/i.test(mark) ? 'out' : 'in')))
  if (bracketed !== undefined) ways.add('out')
  // A minus may stand behind the currency as well.
  const bare = amount.replace(/^((?:gh[sc¢₵]?|[¢₵])\.? ?)-(?=\s?\d)/i, '$1')
  if (bare !== amount) ways.add('out')
  if (ways.size > 1) return { reading: { kind: 'doubtful', text, reasons: ['This amount has two signs.'], candidates: [] }, way: null }
  const [way = null] = ways
  return { reading: readAmount(bare, { decimalSign }), way }
}

function withTime(date: string, time: string): string {
  return time !== '' && !/\d:\d\d/.test(date) ? `${date} ${time}`.trim() : date
}

function askDecimal(cells: readonly string[], sign: DecimalSign | undefined): Question[] {
  if (sign) return []
  const unclear = cells.filter((cell) => /(?:^|[^\d.,])[1-9]\d{0,2}[.,]\d{3}(?![\d.,])/.test(cell))
  const [first = ''] = unclear
  const separator = /[.,]/.exec(first)?.[0]
  const choices = [
    { value: separator === ',' ? '.' : ',', label: 'Thousands' },
    { value: separator ?? '.', label: 'One, with three decimals' },
  ]
  return unclear.length === 0 ? [] : [{ key: 'decimal', ask: `“${first}”: is that thousands?`, count: unclear.length, choices }]
}

const WAYS = [
  { value: 'in', label: 'Money came in' },
  { value: 'out', label: 'Money went out' },
  { value: 'other', label: 'Neither: leave it out' },
]
const OUTCOMES = [
  { value: 'done', label: 'It succeeded' },
  { value: 'failed', label: 'It did not' },
]

/** A word without its small signs; one that is asked or crossed out is another. */
function wordOf(text: string): string {
  return /[?]|(?![✅✔])\p{Extended_Pictographic}|[✗✘✖]/u.test(text) ? text.toLowerCase() : normalHeading(text)
}

function outcomeOf(text: string, asked: Questions): 'done' | 'failed' | 'open' | 'unknown' {
  const word = wordOf(text)
  const known = OUTCOME_WORDS.get(word) ?? OUTCOME_WORDS.get(word.replaceAll(' ', ''))
  if (known) return known
  const answer = asked.ask(
    `status:${word}`,
    word === '' ? 'Rows without a status: did the payments succeed?' : `Status “${text.slice(0, 60)}”: did the payment succeed?`,
    OUTCOMES,
  )
  return answer === 'done' || answer === 'failed' ? answer : 'unknown'
}

function wayOf(key: string, text: string, words: ReadonlyMap<string, Way>, asked: Questions): Way | 'other' | 'unknown' | null {
  const word = wordOf(text) || text
  if (word === '') return null
  const known = words.get(word)
  if (known) return known
  const answer = asked.ask(`${key}:${word}`, `“${text.slice(0, 60)}”: did this money come in?`, WAYS)
  return answer === 'in' || answer === 'out' || answer === 'other' ? answer : 'unknown'
}

/** Where nothing else on a row says it: by its kind of transaction if that is named, else for all such rows at once. */
function wayOfFile(type: string, known: string | undefined, asked: Questions): string | null {
  return type !== '' && known === undefined
    ? asked.ask(`type:${type}`, `“${type.slice(0, 60)}”: did this money come in?`, WAYS)
    : asked.ask('direction', 'These rows don’t say whether money came in or went out. Which is it?', WAYS)
}

const OUTCOME_WORDS = toMap({
  done: 'successful|success|succeeded|completed|complete|processed|paid|settled|posted|ok|done|confirmed|credited|received|transaction successful|completed successfully|successfully completed|processed successfully|successfully processed|cleared',
  failed:
    'failed|fail|failure|unsuccessful|not successful|unsuccessfull|reversed|reversal|rolled back|rollback|expired|cancelled|canceled|declined|rejected|error|timeout|timed out|time out|aborted|invalid|voided|void|refunded|denied|returned|not completed|not processed|not approved|not credited|incomplete|abandoned|transaction failed|insufficient funds|insufficient balance|unpaid|bounced|dishonoured',
  open: 'pending|processing|in progress|initiated|submitted|waiting|awaiting|queued|on hold|held|created|awaiting approval|awaiting confirmation|authorized|authorised|not yet processed|in process|under review|ongoing',
})
const DIRECTION_WORDS = toMap<Way>({
  in: 'cr|credit|c|in|money in|received|receive|incoming|deposit|inward|credited|inflow|paid in|+',
  out: 'dr|debit|d|out|money out|sent|send|outgoing|withdrawal|outward|debited|outflow|paid out|withdrawn',
})
/** What a kind of transaction says by itself. A transfer may be either. */
const TYPES = toMap({
  in: 'cash in|cashin|bank to wallet|deposit|received|money received|payment received|p2p received|credit|cr|transfer in|transfer received|incoming transfer|incoming|funds received|receive|receive money|received money|money in|customer payment received',
  out: 'cash out|cashout|withdrawal|withdraw|debit|dr|merchant payment|bill payment|pay bill|paybill|airtime|airtime purchase|airtime topup|bundle|bundle purchase|data bundle|buy data|buy airtime|send money|money sent|p2p sent|wallet to bank|sent|transfer out|transfer sent|outgoing|outgoing transfer|fee|fees|charge|charges|service charge|e levy|elevy|payment to|purchase|loan repayment|money out|tax',
  other:
    'reversal|reversed|refund|interest|commission|loan|loan disbursement|bonus|cashback|adjustment|rollback|qwikloan|xtracash|opening balance|closing balance',
  either:
    'transfer|p2p|p2p transfer|wallet transfer|momo transfer|momo|mobile money|transaction|payment|bank transfer|gip|ghipss|interoperability|ussd|app|online',
})
const RECEIVED = /^(?:(?:payment |money )?received|cash ?in|deposit|credit|transfer)(?: from\b|$)/i
const SENT =
  /^(?:sent|paid|payment to|payment made|transfer(?:red)? to|cash ?out|withdraw\w*|airtime|bundle|fee|charge|debit|bought|purchase)\b/i
/** Beside a payment's own words, such as a customer's "refund pls", these alone say what became of it. */
function isNoPayment(words: string): boolean {
  const outcome = OUTCOME_WORDS.get(normalHeading(words))
  return TAKEN_BACK.test(words) || outcome === 'failed' || outcome === 'open' || /^(?:cash ?out|withdraw)/i.test(words)
}

const TAKEN_BACK = /\b(?:revers\w*|refunded|roll\w* ?back|charge ?back|failed|cancel\w*|unsuccess\w*|returned|bounced|void(?:ed)?)\b/i
const UNLIKE_A_PAYMENT = /\b(?:loan|interest|commission|bonus|cash ?back|brought forward|b f|totals?|balance)\b/i
