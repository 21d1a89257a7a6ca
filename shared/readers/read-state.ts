import { toMap } from './phrases.ts'
import { asDoubtful, asRead, NOTHING, plainText, type Reading } from './reading.ts'

/** What became of an order, in a supplier's words. */
export type SaidState = 'delivered' | 'failed' | 'open'

/** Every phrase that says one thing. Any other is for a person to decide. */
const PHRASES = {
  delivered:
    'delivered|success|successful|successfully|succeeded|completed|complete|done|ok|okay|credited|loaded|fulfilled|' +
    'delivered successfully|successfully delivered|sent successfully|successfully sent|completed successfully|successfully completed|' +
    'processed successfully|successfully processed|credited successfully|successfully credited|loaded successfully|' +
    'success true|success yes|successful yes|successful true|delivered yes|delivered true|completed yes|completed true',
  failed:
    'failed|failure|fail|rejected|declined|error|invalid|barred|blocked|refunded|reversed|cancelled|canceled|unsuccessful|undelivered|' +
    'undeliverable|not delivered|not successful|invalid number|wrong number|wrong network|number barred|not found|number not found|' +
    'failed yes|failed true',
  open:
    'pending|processing|queued|in progress|waiting|submitted|awaiting delivery|awaiting processing|to be delivered|yet to be delivered|' +
    'being processed|being delivered|not yet delivered|not yet sent|not yet processed|not yet completed|in process|in queue|on hold|initiated|' +
    'pending delivery|delivery pending|not done yet|not yet done|awaiting dlr|awaiting delivery report',
}
const STATES = toMap(PHRASES)
const BEFORE = new Set('order status state result the to was is has been your transaction delivery data'.split(' '))
const AFTER = new Set(['at', 'on', 'to'])
/** A failed order's reason stands behind that word; it is the supplier's own text. */
const WITH_REASON = /^(.*?)[-:;,(| ] ?(.*)$/

/** A cell or the words of a line: a closed list of phrases. Everything else is doubtful, "Delivered: No" and "not processed" among it. */
export function readState(text: string): Reading<SaidState> {
  const words = stateWords(text)
  if (words.length === 0) return NOTHING
  const state = stateOf(words)
  if (state) return asRead(state)
  const [, head = '', reason = ''] = WITH_REASON.exec(plainText(text)) ?? []
  const others = stateWords(reason).join(' ').replace(OF_NUMBERS, '').split(' ')
  if (stateOf(stateWords(head)) === 'failed' && !others.some((word) => TELLING.test(word))) return asRead('failed')
  return asDoubtful(text, 'We don’t know this word for what happened.')
}

/** What is compared of a state, so that "Sent back!" and "SENT BACK" are one question: small words, and numbers and odd signs by themselves. */
export function stateWords(text: string): string[] {
  return (
    plainText(text)
      .toLowerCase()
      .match(/\p{L}+|\p{N}+|[^\s\p{L}\p{N}.,:;!()[\]"'’|=_/✅✔-]/gu) ?? []
  )
}

function stateOf(words: readonly string[]): SaidState | undefined {
  const end = words.findLastIndex((word) => !AFTER.has(word)) + 1
  for (let from = 0; from < end; from++) {
    const state = STATES.get(words.slice(from, end).join(' '))
    if (state) return state
    if (!BEFORE.has(words[from] as string)) return undefined
  }
  return undefined
}

/** What a number is not, so that its order failed. */
const OF_NUMBERS =
  /\bnot (?:an? )?(?:mtn |telecel |airteltigo )?(?:number|subscriber|registered|valid|found|active|allowed|eligible|supported|reachable)\b/g
/** Words with which a failure's reason may say that it was none. */
const TELLING =
  /^(?:no|none|nil|null|n|not|never|false|\d+|later|then|but|now|again|retr\w*|resen\w*|deliver\w*|success\w*|complet\w*|done|sent|credited|loaded|pending|process\w*|queued|progress|wait\w*|yet)$/
