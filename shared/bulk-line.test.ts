import { expect, test } from 'vitest'
import { readLine, withoutTime } from './bulk-line.ts'

test.each([
  ['0244123456 5', '0244123456', 5000],
  ['+233 24 412 3456, 5GB', '0244123456', 5000],
  ['024-555-0107; 2', '0245550107', 2000],
  ['595550109    1', '0595550109', 1000],
  ['233555550111 | 5gb', '0555550111', 5000],
  ['5GB to 0244123456', '0244123456', 5000],
  ['5 0244123456', '0244123456', 5000],
  ['0244123456\t500MB', '0244123456', 500],
  ['024 412 3456 10', '0244123456', 10_000],
  ['1.5 gb 00233244123456', '0244123456', 1500],
  ['"0244123456","5"', '0244123456', 5000],
  ['7. 0244123456 2', '0244123456', 2000],
  ['\u202a+233 24 412 3456\u202c 5GB', '0244123456', 5000],
  ['*0244123456* 5gb.', '0244123456', 5000],
  ['0244123456*5', '0244123456', 5000],
  ['0244123456-5gb', '0244123456', 5000],
  ['5gb-0244123456', '0244123456', 5000],
  ['0244123456 – (5GB) ✅', '0244123456', 5000],
  ['0244123456 1,000MB', '0244123456', 1000],
  ['2.33244123456E+11,5', '0244123456', 5000],
  ['[12:01, 22/11/2026] +233 20 111 2222: 0244123456 5gb', '0244123456', 5000],
  ['12/11/26, 09:41 - Ama: 0244123456 2', '0244123456', 2000],
  ['1) 0244123456 GHS 23 5GB', '0244123456', 5000],
  ['0244123456 5GB 23.00', '0244123456', 5000],
  ['Ama 30 0244123456 5', '0244123456', 5000],
])('%s is a number and a size', (line, receiver, volumeMb) => {
  expect(readLine(line)).toMatchObject({ receiver, volumeMb, problem: null })
})

test('a name and a network beside them are kept apart', () => {
  expect(readLine('Abena Owusu, Vodafone 0205550118 5GB')).toEqual({
    receiver: '0205550118',
    name: 'Abena Owusu',
    saidNetwork: 'Telecel',
    volumeMb: 5000,
    problem: null,
    meant: null,
    sizeProblem: null,
    meantMb: [],
    isBare: false,
    isInFront: false,
    note: null,
    changes: null,
    doubt: null,
    unknown: '',
    split: null,
  })
})

test.each([
  ['024555013 5GB', '9 digits, one is missing', null],
  ['0244O05512 1', 'A letter is in the number. Did you mean 024 400 5512?', '0244005512'],
  ['0285551234 1', 'No network uses 028. Check the number', null],
  ['02455501333 1', '11 digits, a number has 10', null],
  ['hello 5GB', 'There is no phone number on this line.', null],
  ['2.33244E+11 5', 'Excel cut this number. Make its column text, then copy it again', null],
  ['0244123456 5gb x2', 'This line says x2. Write one line for each', null],
  ['0244123456 5gb 0551234567 2gb', 'Two numbers are on this line. Write each on a line of its own', null],
])('%s is no number, and says why', (line, problem, meant) => {
  expect(readLine(line)).toMatchObject({ receiver: null, problem, meant })
})

test('a word that every object knows is a name, not a network', () => {
  expect(readLine('constructor 0244123456 5')).toMatchObject({ saidNetwork: null, name: 'constructor', volumeMb: 5000 })
})

test.each([
  ['0244123456 5 23', 'This line has more than one size.'],
  ['0244123456 5GB 2GB', 'This line has more than one size.'],
  ['7. 0244123456', null],
  ['0244123456 1k', null],
])('%s has no size that is sure', (line, sizeProblem) => {
  expect(readLine(line)).toMatchObject({ receiver: '0244123456', volumeMb: null, sizeProblem })
})

test.each([
  ['[23/11/2026, 08:14:03] Kofi Mensah: 0244123456 5gb', 'Kofi Mensah: 0244123456 5gb'],
  ['11/23/26, 8:17 AM - +233 20 555 0118: 0205550118 5', '0205550118 5'],
  ['Kofi: 0244123456 5gb', 'Kofi: 0244123456 5gb'],
])('%s without its time', (line, text) => {
  expect(withoutTime(line)).toBe(text)
})

const CALLED_OFF =
  'cancel|cancelled|stop|remove|delete|ignore|don’t|dont|do not|not|wrong|mistake|instead|change|changed|replace|void|sorry|should|edit|edited|correct|correction'
const MORE_SAID =
  'never|without|except|done|sent|received|paid|delivered|reversed|refund|returned|error|already|failed|pending|hold|unsuccessful|undelivered|unpaid|sold|bought|got|came|didn’t|complaint|fake|lost|expired|test|example|wait|later|tomorrow|yesterday|last|next|ago|skip|again|another|repeat|resend|re-send|same|also|too|half|each|every|both|per|or|and|extra|bonus|double|triple|qty|pieces|pair|dozen|couple|few|several|more|two|ten|II|x|2 bundles|3 people|airtime|credit|cedis|sms|30 days|weekly|unlimited|amount|price|balance|owes|i|he|they|it|you|who|when|if|but|because|since|from|back|left|out|has|was|will|would|did'

test.each([...CALLED_OFF.split('|'), ...MORE_SAID.split('|')])('a line that says “%s” anywhere is asked about', (word) => {
  for (const text of [
    `${word} 0244123456 5gb`,
    `0244123456 5gb ${word}`,
    `0244123456 ${word} 5gb`,
    `0244123456 5gb, ${word.toUpperCase()}!`,
  ]) {
    const { doubt, problem, sizeProblem, volumeMb } = readLine(text)
    expect({ text, isAsked: [doubt, problem, sizeProblem].some((one) => one !== null) || volumeMb === null }).toEqual({
      text,
      isAsked: true,
    })
  }
})

test.each([
  '👍👍',
  '👍🏾',
  'Missed voice call',
  'Messages and calls are end-to-end encrypted. No one outside of this chat can read them.',
  'money sent 150 cedis',
  'thanks, God bless. money sent 150 cedis',
  'I have paid 150 cedis',
  'Sent GHS 45.50',
])('“%s” changes no order', (line) => {
  expect(readLine(line)).toMatchObject({ note: 'talk', changes: null })
})

test.each(['<Media omitted>', 'This message was deleted', '👎', '✅', '❌', 'I have paid 150', 'money sent for 5', 'sent 5gb'])(
  '“%s” may change one',
  (line) => {
    expect(readLine(line)).toMatchObject({ note: 'unclear', changes: 'list' })
  },
)

test.each(CALLED_OFF.split('|'))('nothing with “%s” is left out as mere talk', (word) => {
  expect(readLine(`please ${word} that`)).toMatchObject({ note: 'unclear', changes: 'list' })
})

test.each([
  'Please send 5gb to 0244123456, thank you',
  'Can you send 5gb to 0244123456 pls 🙏🏾',
  'I want 5gb for my sister 0244123456',
  'let me have 5gb 0244123456',
  'Kofi Asante 0244123456 5gb',
  'Nana Yaa Notsie 0244123456 5gb',
  'Stopher Canci 0244123456 5gb',
  '📱 0244123456 ➡️ 5gb',
  'MTN-5GB-0244123456',
])('%s is an order', (text) => {
  expect(readLine(text)).toMatchObject({ receiver: '0244123456', volumeMb: 5000, doubt: null })
})

test.each([
  ['5GB for 0244123456', ''],
  ['pls send 5gb to Ama Serwaa 0244123456 sharp sharp', 'Ama Serwaa'],
  ['Auntie Esi 0244123456 5gb', 'Auntie Esi'],
])('of the words in %s only a name is one', (text, name) => {
  expect(readLine(text)).toMatchObject({ name, doubt: null, unknown: '' })
})

test.each(['✅', '✔️', '👎', '😡', '❓', '🔁', '❌', '✗', '²', '~0244123456~'])('a line with %s is asked about', (sign) => {
  expect(readLine(`0244123456 5gb ${sign}`).doubt).not.toBeNull()
})
