import type { Issue } from '../../../../shared/errors.ts'
import type { FormatDraft } from '../../../../shared/message-format-endpoints.ts'
import { MESSAGE_FORMATS, type MessageFormat } from '../../../../shared/message-formats.ts'
import { BUILT_IN_SAMPLES } from '../../../../shared/message-samples.ts'
import { readWords } from '../../../../shared/message-words.ts'
import { builtInOf, chooseFormats } from './choose-formats.ts'
import type { FormatRow } from './formats.sql.ts'
import { type Formats, parseAs } from './parse-message.ts'

const SHOWN = 60

type Sample = { text: string; network: string; name: string; isCredit: boolean }

/**
 * Why a form cannot be saved: it does not read one of its own samples as it should, or it reads one of another form, or without it money
 * that went out would be taken for money that came in. `rows` are the newest versions of all forms.
 */
export function checkFormat(draft: FormatDraft, rows: readonly FormatRow[], ofServer: readonly MessageFormat[]): Issue[] {
  const own = { network: draft.network, name: draft.name }
  const builtIn = builtInOf(own)
  if (draft.words === null && !builtIn) return [{ path: 'words', message: 'Write down the words of the message.' }]
  if (draft.words !== null) {
    const words = readWords(draft.words, { isCredit: draft.kind === 'credit' })
    if (typeof words === 'string') return [{ path: 'words', message: words }]
    if (draft.samples.length === 0) return [{ path: 'samples', message: 'Give at least one message that it must read.' }]
  }
  const after = [...rows.filter((row) => !isSame(row, own)), toRow(draft)]
  const formats = chooseFormats(after, ofServer)
  if (draft.on && draft.words !== null) {
    const problems = draft.samples.flatMap((text, at) =>
      problemOf(draft, text, formats).map((message) => ({ path: `samples.${at}`, message })),
    )
    if (problems.length > 0) return problems
  }
  return checkOthers(samplesOf(after), own, formats)
}

function problemOf(draft: FormatDraft, text: string, formats: Formats): string[] {
  const { read, format } = parseAs({ text, sender: null, at: null }, formats)
  if (!format) return ['The words don’t fit this message, or its amount or ID can’t be read.']
  if (!isSame(format, draft)) return [`“${format.name}” reads this message already.`]
  if (read.kind === 'credit' && read.doubts.includes('several-ids')) {
    return ['This can be read in two ways. Put more of the network’s words around {id} and {amount}.']
  }
  if (read.kind === 'credit' && read.doubts.includes('balance'))
    return ['The balance is less than what came in. Is {balance} in the right place?']
  return []
}

/** What other forms read they must go on reading; what was no money that came in must not become it. */
function checkOthers(samples: readonly Sample[], own: { network: string; name: string }, formats: Formats): Issue[] {
  for (const sample of samples) {
    if (isSame(sample, own) && sample.isCredit) continue
    const { format } = parseAs({ text: sample.text, sender: null, at: null }, formats)
    const shown = `“${sample.text.slice(0, SHOWN)}…”`
    if (format && isSame(format, own) && !isSame(sample, own)) {
      return [{ path: 'words', message: `It would also read a message of “${sample.name}”: ${shown}` }]
    }
    if (!sample.isCredit && format?.kind === 'credit') {
      return [{ path: 'on', message: `Without “${sample.name}”, this would be read as money that came in: ${shown}` }]
    }
  }
  return []
}

/** The samples of all forms, those of the ones that came with the shop included, whatever became of these. */
function samplesOf(rows: readonly FormatRow[]): Sample[] {
  const written = rows.flatMap(({ network, name, kind, isOn, words, samples }) =>
    isOn && words !== null ? samples.map((text) => ({ text, network, name, isCredit: kind === 'credit' })) : [],
  )
  const builtIn = MESSAGE_FORMATS.flatMap(({ network, name, kind }) =>
    (BUILT_IN_SAMPLES[`${network} ${name}`] ?? []).map((text) => ({ text, network: network ?? '', name, isCredit: kind === 'credit' })),
  )
  return [...written, ...builtIn]
}

function isSame(one: { network: string | null; name: string }, other: { network: string; name: string }): boolean {
  return one.network === other.network && one.name === other.name
}

function toRow({ on, ...draft }: FormatDraft): FormatRow {
  return { ...draft, isOn: on, version: 0, changedAt: new Date(0), changedBy: '' }
}
