import * as z from 'zod/mini'

const KINDS: Record<string, string> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  null: 'null',
}
const UNITS: Record<string, string> = { string: ' characters', array: ' entries' }

/**
 * A sentence for a field that fits no schema and whose schema has no words of its own, such as "This must be a number."
 * Null for kinds of mistakes that need the schema's own words.
 */
export function sayWhatIsWrong(issue: z.core.$ZodRawIssue): string | null {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? 'This is missing.' : `This must be ${KINDS[issue.expected] ?? 'something else'}.`
    case 'invalid_value':
      return issue.input === undefined ? 'This is missing.' : `This must be ${listOf(issue.values.map(String))}.`
    case 'unrecognized_keys':
      return `There is no field called ${listOf(issue.keys.map((key) => key.slice(0, 60)))} here.`
    case 'too_big':
      return `This must be ${issue.inclusive === false ? 'less than' : 'at most'} ${issue.maximum}${UNITS[issue.origin] ?? ''}.`
    case 'too_small':
      if (issue.origin === 'array' && issue.minimum === 1) return 'This must have at least one entry.'
      return `This must be ${issue.inclusive === false ? 'more than' : 'at least'} ${issue.minimum}${UNITS[issue.origin] ?? ''}.`
    case 'not_multiple_of':
      return `This must be a multiple of ${issue.divisor}.`
    case 'invalid_format':
    case 'invalid_key':
    case 'invalid_element':
    case 'invalid_union':
      return issue.input === undefined ? 'This is missing.' : 'This is not in the form that is expected here.'
    default:
      return null
  }
}

/** Gives every schema of this process these words wherever it has none of its own. */
export function setValidationWords(): void {
  z.config({ customError: sayWhatIsWrong })
}

function listOf(words: readonly string[]): string {
  return words.length < 2 ? (words[0] ?? '') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`
}
