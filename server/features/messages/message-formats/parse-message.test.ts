import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { readFormat } from '../../../../shared/message-formats.ts'
import { type IncomingPayment, type NotCounted, parseMessage, readersOf } from './parse-message.ts'

/** The wording of messages as they arrive on receiving phones in Ghana; names and numbers are made up. */
const C1 =
  'Payment received for GHS 36.00 from KWESI APPIAH Current Balance: GHS 36.00 . Available Balance: GHS 36.00. Reference: Rent. Transaction ID: 51234567890. TRANSACTION FEE: 0.00'
const C6 =
  '0000019305566778 Confirmed. You have received GHS45.00 from 233209876543 - KOJO ANSAH BEKOE on 2026-01-07 at 11:02:51. Your Telecel Cash balance is GHS135.25.\nReference: 1.\nStay alert. Never share your PIN.'

function read(text: string, sender: string | null = null) {
  return parseMessage({ text, sender, at: null })
}

const CREDITS: [string, string, Partial<IncomingPayment>][] = [
  [
    'C1: MTN, a person',
    C1,
    {
      network: 'MTN',
      transactionId: '51234567890',
      amountPesewas: 3600,
      payerName: 'KWESI APPIAH',
      reference: 'Rent',
      balancePesewas: 3600,
    },
  ],
  [
    'C2: MTN, a number typed as the reference',
    'Payment received for GHS 15.00 from AKUA MENSAH  Current Balance: GHS 15.38 . Available Balance: GHS 15.38. Reference: Akua ,0551000001. Transaction ID: 85695601778. TRANSACTION FEE: 0.00',
    { amountPesewas: 1500, payerName: 'AKUA MENSAH', typedPhone: '0551000001', payerPhone: null, reference: 'Akua ,0551000001' },
  ],
  [
    'C3: MTN, from Telecel',
    'Payment received for GHS 53.00 from ABAKAH KOJO  Current Balance: GHS 100.03 . Available Balance: GHS 100.03. Reference: ABAKAH KOJO ,233500000001,1 from VODAFONE. Transaction ID: 89195251384. TRANSACTION FEE: 0.00',
    {
      amountPesewas: 5300,
      payerPhone: '0500000001',
      typedPhone: null,
      reference: '1',
      transactionId: '89195251384',
      balancePesewas: 10003,
    },
  ],
  [
    'C4: MTN, short',
    'Payment received for GHS 101.00 from AMA SAMPLE BOAH. Reference: miniproj. Transaction ID: 83724298138.',
    { amountPesewas: 10100, payerName: 'AMA SAMPLE BOAH', reference: 'miniproj', transactionId: '83724298138', balancePesewas: null },
  ],
  [
    'C5: MTN, cash in by an agent',
    'Cash In received for GHS 300.00 from ADOM ELECTRICALS . Current Balance GHS 322.10  Available Balance GHS 322.10. Transaction ID: 10502294418. Fee charged: GHS 0. Cash in (Deposit) is a free transaction. Please do not pay any fees for it.',
    {
      amountPesewas: 30000,
      payerName: 'ADOM ELECTRICALS',
      byAgent: true,
      reference: null,
      transactionId: '10502294418',
      balancePesewas: 32210,
    },
  ],
  [
    'C5: the same with a short label',
    'Cash In received for GHS 20.00 from ADOM ELECTRICALS . Current Balance GHS 322.10  Available Balance GHS 322.10. ID: 90944592901, Fee charged: GHS 0.',
    { amountPesewas: 2000, transactionId: '90944592901' },
  ],
  [
    'C6: Telecel from Telecel',
    C6,
    {
      network: 'Telecel',
      transactionId: '19305566778',
      amountPesewas: 4500,
      payerName: 'KOJO ANSAH BEKOE',
      payerPhone: '0209876543',
      reference: '1',
      balancePesewas: 13525,
      sentAt: new Date('2026-01-07T11:02:51Z'),
    },
  ],
  [
    'C7: Telecel from MTN',
    '0000019472100347 Confirmed. You have received GHS150.00 from MTN MOBILE MONEY with transaction reference: Transfer From: 233541234567-AMA SERWAA OWUSU  on 2026-01-14 at 09:05:44. Your Telecel Cash balance is GHS205.58.\nRef: 96397268.\nStay alert.',
    {
      network: 'Telecel',
      transactionId: '19472100347',
      amountPesewas: 15000,
      payerName: 'AMA SERWAA OWUSU',
      payerPhone: '0541234567',
      reference: '96397268',
      sentAt: new Date('2026-01-14T09:05:44Z'),
    },
  ],
  [
    'C7: without a reference',
    '0000019472100348 Confirmed. You have received GHS150.00 from MTN MOBILE MONEY with transaction reference: Transfer From: 233541234567-AMA SERWAA OWUSU  on 2026-01-14 at 09:05:44. Your Telecel Cash balance is GHS205.58.\nStay alert.',
    { transactionId: '19472100348', reference: null, payerPhone: '0541234567' },
  ],
  [
    'C8: Telecel from GhanaPay',
    '0000019472100349 Confirmed. You have received GHS25.00 from GHANAPAY with transaction reference: Transfer From: 0551000001-Akua  on 2026-01-14 at 09:05:44. Your Telecel Cash balance is GHS230.58.\n',
    { transactionId: '19472100349', payerPhone: '0551000001', payerName: 'Akua', amountPesewas: 2500 },
  ],
  [
    'C9: Telecel, a deposit',
    '0000019459870042 Confirmed. On 2026-02-08 at 15:10:31, a deposit of GHS80.00 was made to your account from ABENA FOSUA VENTURES      . Your balance is GHS80.37. Stay alert.',
    { transactionId: '19459870042', amountPesewas: 8000, payerName: 'ABENA FOSUA VENTURES', byAgent: true, balancePesewas: 8037 },
  ],
  [
    'C10: GhanaPay from a bank',
    'You have received GHS 400.00 from: 2255****789 , Ecobank. Ref: REF: 705321835172116 . Transaction ID: 618920387156. Balance: GHS 506.58.',
    { network: 'GhanaPay', transactionId: '618920387156', amountPesewas: 40000, payerPhone: null, balancePesewas: 50658 },
  ],
  ['an amount with a thousands separator', C1.replaceAll('GHS 36.00', 'GHS1,006.48'), { amountPesewas: 100648, balancePesewas: 100648 }],
  ['an amount without decimals', C1.replaceAll('GHS 36.00', 'GHS 40'), { amountPesewas: 4000 }],
  ['a label in other letters', C1.replace('Transaction ID', 'Transaction Id'), { transactionId: '51234567890' }],
  ['a dash as the reference', C1.replace('Rent', '-'), { reference: null }],
  ['a company with a dot', C1.replace('KWESI APPIAH', 'K.OWUSU ENTERPRISE '), { payerName: 'K.OWUSU ENTERPRISE' }],
  [
    'a company with digits',
    C1.replace('KWESI APPIAH', 'YAW BOATENG 0244 ENTERPRISE'),
    { payerName: 'YAW BOATENG 0244 ENTERPRISE', typedPhone: null },
  ],
  ['digits apart in the reference', C1.replace('Rent', '9639 7268'), { reference: '9639 7268' }],
]

test.each(CREDITS)('money that came in: %s', (_name, text, expected) => {
  expect(read(text)).toMatchObject({ kind: 'credit', doubts: [], ...expected })
})

const OUT: [string, string, NotCounted['kind'], number | null][] = [
  [
    'N1',
    'Payment made for GHS 5.00 to bbb Current Balance: GHS 102.41 . Available Balance: GHS 102.41. Reference: 1. Transaction ID: 88336392260. Fee charged: GHS0.50 Tax charged: 0. Download the app.',
    'money-out',
    500,
  ],
  [
    'N2',
    'Payment for GHS3.00 to MTN BUNDLE .Current Balance: GHS 0.38. Transaction Id: 85762523456. Fee charged: GHS0.00,Tax Charged 0.',
    'money-out',
    300,
  ],
  [
    'N3',
    'Your payment of GHS 24.00 to TELECEL PUSH has been completed at 2026-05-22 08:15:05. Your new balance: GHS 648.90. Fee was GHS 0.38 Tax was GHS -. Reference: ABENA OWUSU,233500000004,Waakye. Financial Transaction Id: 81780850399. External Transaction Id: 81780850399.',
    'money-out',
    2400,
  ],
  [
    'N4',
    'Your payment of GHS 5.00 to MTN AIRTIME  has failed at 2026-07-15 15:47:43. Reference: -. Financial Transaction Id: 85436498944. External Transaction Id: 85436498944. TRANSACTION FEE IS 0',
    'failed',
    500,
  ],
  [
    'N5',
    'You have exceeded your daily transaction limit. INTEROPERABILITY PULL OVA failed to send GHS 990.00 to your account. Go to my wallet to check your wallet limit. Financial transaction Id: 86187286967. Transaction Fee is 0.',
    'failed',
    99000,
  ],
  [
    'N6',
    'Cash Out made for GHS40.00 to ADOM ELECTRICALS . Current Balance: GHS22.10 Financial Transaction Id: 10493827561. Cash-out fee is charged automatically. Fee charged: GHS0.40.',
    'money-out',
    4000,
  ],
  [
    'N7',
    'You have transferred GHS 10.00  to Other Networks   from your mobile money account 000000000 at 2026-07-19 09:37:20. Your new balance: 4652.89 GHS. Message to receiver: 1. Financial Transaction Id: 85672169720.',
    'money-out',
    1000,
  ],
  [
    'N8',
    "Y'ello. You have Paid GHS 40 to Merchant 104901 on your mobile money account at 202608184348. Message from sender: 1. Your new balance: GHS 106.39 . Fee was GHS 0.50 . Financial Transaction Id: 84997229749.",
    'money-out',
    4000,
  ],
  [
    'N9',
    'Hello, MTN BUNDLE  (CISNG.sp) has successfully refunded GHS 3.00 to your mobile money account at 2026-07-11 23:09:24. Message from refunder: . Your new balance:295.83 GHS. Financial Transaction Id: 85211519729. External Transaction Id: -.',
    'refund',
    300,
  ],
  [
    'N10',
    '0000019472630581 Confirmed. GHS25.00 sent to 0241234567 - KWAME ASANTE MENSAH on MTN MOBILE MONEY on 2026-01-15 at 14:22:08. Your Telecel Cash balance is GHS180.45. You were charged GHS0.13. E-levy charge is GHS0.00. Reference: Lunch . Sendi k3k3!',
    'money-out',
    2500,
  ],
  [
    'N10, paid',
    '0000019472630582 Confirmed. GHS15.23 paid to 404041 - SAMPLE STORES on 2026-01-15 at 14:22:08. Your Telecel Cash balance is GHS165.22.',
    'money-out',
    1523,
  ],
  [
    'N10, withdrawn',
    '0000019472630583 Confirmed. You have withdrawn GHS20.00 from G62667 - SAMPLE AGENT on 2026-01-15 at 14:22:08. Your Telecel Cash balance is GHS145.22.',
    'money-out',
    2000,
  ],
  [
    'N10, airtime',
    '0000019472630584 Confirmed. You bought GHS30.00 of airtime for 233201234567 on 2026-01-15 at 14:22:08. Your Telecel Cash balance is GHS115.22.',
    'money-out',
    3000,
  ],
  [
    'N11',
    'Failed. Your Transfer of GHS30.00 sent to 0240000000 SAMPLE NAME on MTN MOBILE MONEY on 2026-04-13 at 19:44:46 was unsuccessful. Please try again.',
    'failed',
    3000,
  ],
  [
    'N12',
    'Transaction ID: 0000019460055123 confirmed from 555. You have received airtime of GHS30.00 from 233201234567 - KOFI BOAKYE DANSO on 2026-02-08 at 15:52:07.',
    'airtime',
    3000,
  ],
  [
    'N13',
    'Dear customer, you have received GHS0.04 from Telecel Cash as interest earned for the quarter. Your new balance is GHS6.01.',
    'interest',
    4,
  ],
  ['N14', 'Enter code 114001 to pay GHS 5.61 to BRYTELINK. DO NOT SHARE', 'other', 561],
  ['N14, a loan', 'You have received GHS50.00 FlexLoan', 'other', 5000],
  [
    'a fake that says cash in',
    'Cash In  for\nGHS150.00 from\nAKOSUA MANSA Current Balance 640.35\nAvaliable balan 640.35\nTransaction\nID: 00581234567:\ndepos(.....)',
    'fake',
    15000,
  ],
  ['a fake reversal', 'Reversal of 300.00 have been made on your number your balance is GHS0.00', 'reversal', 0],
  ['a threat', 'Your MoMo account is Suspéndéd for 92Days', 'fake', null],
  ['an advert', 'Get a loan of up to GHS 1,800 today with QwikLoan. Dial *170#', 'other', 180000],
  ['small talk', 'Good morning, has my money come?', 'other', null],
]

test.each(OUT)('nothing is credited for %s', (_name, text, kind, amountPesewas) => {
  expect(read(text)).toMatchObject({ kind, amountPesewas, says: expect.stringMatching(/\.$/) })
})

describe('what is doubtful', () => {
  const unknown = 'Good news: GHS 75.00 was moved to your wallet. Transaction ID: 71234567890.'

  test.each([
    'Payment received for USD 20.00 from AMA . Current Balance: GHS 350.00 . Transaction ID: 71234567890.',
    'Good news: $20.00 was moved to your wallet. Transaction ID: 71234567890.',
    'You have received 20.00 euros. Transaction ID: 71234567890.',
  ])('money of another country is no amount: %s', (text) => {
    const { kind, amountPesewas } = read(text)
    expect([kind, amountPesewas]).toEqual(['other', null])
  })

  test('money and an id in unknown words', () => {
    expect(read(unknown)).toMatchObject({
      kind: 'credit',
      network: 'MTN',
      transactionId: '71234567890',
      amountPesewas: 7500,
      doubts: ['unknown-form'],
    })
  })

  test('the form of AirtelTigo, which nobody has confirmed', () => {
    const text = 'You have received GHS 20.00 from 0261234567 KOFI. Reference: 96397268. Transaction ID: PP260101.1234.C00001.'
    expect(read(text)).toMatchObject({ network: 'AirtelTigo', amountPesewas: 2000, reference: '96397268', doubts: ['unsure-form'] })
  })

  test('an id that the payer typed: the last one counts, and a person looks', () => {
    const typed = C1.replace('Rent', '96397268. Transaction ID: 11111111111')
    expect(read(typed)).toMatchObject({ transactionId: '51234567890', doubts: ['several-ids'] })
  })

  test.each([
    ['GHS 25.00 was moved to you by AMA. Transaction ID: 91234500001. Reference: ID: 12345678901', '91234500001'],
    ['GHS 25.00 was moved to you by AMA. Reference: 233244300001. Transaction ID: 91234500001.', '91234500001'],
    ['GHS 25.00 received from AMA. Reference: 98765432101', null],
    ['GHS 25.00 received from AMA. Ref: Transaction ID: 98765432101', null],
    [
      '0000014271420003 Confirmed. GHS25.00 sent to 0241234567 - KWAME on MTN MOBILE MONEY on 2026-11-28 at 14:22:08. Reference: ID: 12345678901',
      '14271420003',
    ],
  ])('what a payer typed is never the id of words that no form knows, nor of money that went out: %s', (text, transactionId) => {
    expect(read(text)).toMatchObject({ transactionId, amountPesewas: 2500 })
  })

  test('a balance below what came in', () => {
    expect(read(C1.replaceAll('Balance: GHS 36.00', 'Balance: GHS 12.00'))).toMatchObject({ doubts: ['balance'] })
  })

  test('a sender who is neither the network nor a person', () => {
    expect(read(C1, 'MoMoAlert')).toMatchObject({ doubts: ['unknown-sender'] })
  })
})

test('a form that the shop wrote down itself is as sure as its own', () => {
  const text = 'You have received GHS 20.00 from KOFI (0261234567). Reference: 96397268. Trans. ID: PP260101.1234.C00001. Thank you'
  expect(read(text)).toMatchObject({ doubts: ['unsure-form'] })
  const own = [readFormat('AirtelTigo: You have received {amount} from {payer} ({phone}). Reference: {reference}. Trans. ID: {id}.')!]
  expect(parseMessage({ text, sender: null, at: null }, readersOf(own))).toMatchObject({
    network: 'AirtelTigo',
    amountPesewas: 2000,
    payerName: 'KOFI',
    payerPhone: '0261234567',
    reference: '96397268',
    transactionId: 'PP260101.1234.C00001',
    doubts: [],
  })
  expect(parseMessage({ text: C1, sender: null, at: null }, readersOf(own))).toMatchObject({ network: 'MTN', doubts: [] })
})

test.each([
  ['MTN: no amount {id}'],
  ['MTN: {amount} without an id'],
  ['Glo: {amount} {id}'],
  ['MTN: {amount} {id} {id}'],
  ['MTN: {amount} {id} {what}'],
  ['{amount} {id}'],
])('%j is no form', (text) => {
  expect(readFormat(text)).toBeNull()
})

test('a perfect copy from a person’s number is a fake, and says where it came from', () => {
  expect(read(C1, '+233551004417')).toMatchObject({ kind: 'fake', says: 'Came from 055 100 4417, not from MobileMoney.' })
  expect(read(C1, 'MobileMoney')).toMatchObject({ kind: 'credit', doubts: [] })
  expect(read(C6, 't-cash')).toMatchObject({ kind: 'credit', doubts: [] })
})

test('money that went out says what it took from the balance', () => {
  expect(read(OUT[0]![1])).toMatchObject({ amountPesewas: 500, feePesewas: 50, balancePesewas: 10241 })
  expect(read(OUT[9]![1])).toMatchObject({ feePesewas: 13, balancePesewas: 18045 })
})

describe('messages as people forward them', () => {
  const cases = readFileSync('test/fixtures/cases/momo-messages.txt', 'utf8')
    .split('\n')
    .filter((line) => /GHS/.test(line))
  const expected: [string, object][] = [
    [
      'SENDER TWO SAMPLE',
      { kind: 'credit', network: 'MTN', amountPesewas: 900, payerName: 'SENDER TWO SAMPLE', balancePesewas: 909, doubts: [] },
    ],
    ['bundle purchase', { kind: 'money-out', network: 'Telecel', amountPesewas: 1500, balancePesewas: 20511 }],
    ['SAMPLE BANK ACCOUNT', { kind: 'money-out', network: 'Telecel', amountPesewas: 4000, feePesewas: 50, balancePesewas: 153 }],
    ['Ready Loan', { kind: 'money-out', network: 'Telecel', amountPesewas: 660, balancePesewas: 4673 }],
    ['wallet balance', { kind: 'other', network: 'Telecel', balancePesewas: 46173 }],
    ['Fwd: Payment made', { kind: 'money-out', network: 'MTN', amountPesewas: 2500, feePesewas: 38, balancePesewas: 2627 }],
    [
      'on TELECEL CASH',
      {
        kind: 'credit',
        network: 'Telecel',
        amountPesewas: 6895,
        payerName: 'SAMPLE PERSON',
        reference: 'electricity',
        balancePesewas: 100102,
      },
    ],
    [
      'EXPRESSPAY',
      { kind: 'credit', network: 'Telecel', amountPesewas: 38772, payerName: 'EXPRESSPAY', balancePesewas: 94440, doubts: [] },
    ],
  ]
  test('each is read as it is', () => {
    expect(cases.length).toBe(expected.length)
    for (const [part, values] of expected) expect(read(cases.find((line) => line.includes(part)) ?? part), part).toMatchObject(values)
  })

  test.each([
    'You have sent GHS 20.00 to 0241234567 AMA. Trans ID: 2039485761123. Your balance is GHS 5.00.',
    'Dear customer, you have paid GHS 12.00 to ECG. Transaction ID: 2039485761124',
    'Trans ID: 2039485761125. You have successfully transferred GHS 7.50 to KOFI',
    'You withdrew GHS 100 from AGENT 22. Transaction ID: 20394857611',
  ])('money out in other words: %s', (text) => {
    expect(read(text).kind).toBe('money-out')
  })

  test.each([
    'Your Telecel Cash balance is GHS 12.00. Transaction ID: 2039485761126',
    'Your current account balance is GHS 12.00 as of today. Transaction ID: 2039485761126',
    'Available Balance: GHS 9.00. Transaction ID: 2039485761126',
    'You have been credited with 1.5GB for GHS 10.00. Transaction ID: 2039485761126',
    'Your data bundle of GHS 10.00 expires today. Transaction ID: 2039485761126',
    'You have received GHS50.00 FlexLoan. Transaction ID: 2039485761126',
    'Your Qwikloan of GHS 50.00 is due. Transaction ID: 2039485761126',
  ])('no payment: %s', (text) => {
    expect(read(text).kind).toBe('other')
  })

  test.each([
    'Your transaction of GHS 36.00 from KWESI APPIAH has been reversed. Transaction ID: 51234567890',
    '0000012269962269 Confirmed. The payment of GHS387.72 was successfully reversed on 2026-03-04.',
    'A deposit of GHS 5.00 has been rolled back. Transaction ID: 51234567890',
  ])('money taken back: %s', (text) => {
    expect(read(text)).toMatchObject({ kind: 'reversal', transactionId: expect.stringMatching(/^(?:51234567890|12269962269)$/) })
  })

  test.each([`Fwd: ${C1}`, `FW: ${C1}`, `"${C1}"`, `> ${C1}`, `“${C6}”`, `Forwarded message: ${C6}`])(
    'one that was passed on is doubtful: %s',
    (text) => {
      expect(read(text)).toMatchObject({ kind: 'credit', doubts: expect.arrayContaining(['forwarded']) })
    },
  )

  test('words of a payer make no other kind of it', () => {
    for (const words of ['has been reversed', 'Your balance is GHS 1.00', 'You have sent GHS 9.00', 'Fwd: loan']) {
      expect(read(C1.replace('Rent', words)), words).toMatchObject({ kind: 'credit', amountPesewas: 3600, transactionId: '51234567890' })
    }
  })
})
