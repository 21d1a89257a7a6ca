import type { Issue } from '../../../../shared/errors.ts'
import type { FormatDraft, Understood } from '../../../../shared/message-format-endpoints.ts'
import type { MessageFormat } from '../../../../shared/message-formats.ts'
import { checkFormat } from './check-format.ts'
import { chooseFormats } from './choose-formats.ts'
import type { FormatRow } from './formats.sql.ts'
import { presentUnderstood } from './present.ts'

/** A message and a form that somebody tries, the newest versions of all forms, and those that are set where the shop runs. */
export type Attempt = {
  text: string | undefined
  sender: string | null
  draft: FormatDraft | undefined
  rows: readonly FormatRow[]
  ofServer: readonly MessageFormat[]
}

/** How the message and the samples would be read with the form, and why it could not be saved. For `callAside`. */
export function readAttempt({ text, sender, draft, rows, ofServer }: Attempt) {
  const { network, name } = draft ?? {}
  const others = rows.filter((row) => row.network !== network || row.name !== name)
  const written = draft && { ...draft, isOn: draft.on, version: 0, changedAt: new Date(0), changedBy: '' }
  const formats = chooseFormats(written ? [...others, written] : rows, ofServer)
  const read = (one: string, by: string | null): Understood => presentUnderstood(one, by, formats)
  return {
    reading: text === undefined ? null : read(text, sender),
    samples: (draft?.samples ?? []).map((one) => read(one, null)),
    problems: draft ? checkFormat(draft, rows, ofServer) : [],
  }
}

/** Why a form could not be saved. For `callAside`. */
export function readProblems({ draft, rows, ofServer }: Pick<Attempt, 'rows' | 'ofServer'> & { draft: FormatDraft }): Issue[] {
  return checkFormat(draft, rows, ofServer)
}
