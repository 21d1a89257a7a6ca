import { typeGhanaCard } from '../../../../shared/afa-rules.ts'

/** One edit of a Ghana Card number: what the field shows then, and where its caret is, so that a digit inside can be corrected. */
export function editGhanaCard(typed: string, caret: number): { text: string; caret: number } {
  const text = typeGhanaCard(typed)
  if (text === typed) return { text, caret }
  const bare = typed.replace(/[^A-Za-z0-9]/g, '')
  const added = /^\d/.test(bare) ? text.indexOf('-') : 0
  const before = typed.slice(0, caret).replace(/[^A-Za-z0-9]/g, '').length
  const left = before === 0 ? 0 : before + added
  let at = 0
  for (let seen = 0; seen < left && at < text.length; at++) if (text[at] !== '-') seen++
  return { text, caret: at }
}
