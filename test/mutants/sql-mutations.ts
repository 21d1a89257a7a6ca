/** One small change to a piece of SQL, and the place of it as a person reads it. */
export type Mutation = {
  kind: MutationKind
  /** The line of the change with `⟦before → after⟧` where it is: the mutation's name, the same for the same text. */
  at: string
  text: string
}

export type MutationKind =
  | 'comparison'
  | 'arithmetic'
  | 'logic'
  | 'condition'
  | 'constant'
  | 'lock'
  | 'order'
  | 'statement'
  | 'conflict'
  | 'aggregate'

type Token = { text: string; word: string; start: number; end: number }
type Edit = { kind: MutationKind; start: number; end: number; after: string }

const TOKEN =
  /--[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^']|'')*'|"[^"]*"|\$\d+|\$\{[^}]*\}|\d+(?:\.\d+)?|[A-Za-z_]\w*|:=|->>|->|\|\||::|<=|>=|<>|!=|\.\.|[-+*/%<>=]|[(),;.[\]]|\s+|[\s\S]/g

/**
 * All mutations of a function's body, a query, a view or the definition of a constraint or trigger. `goesOn`: the text
 * is a part of a query, which is cut off at its end, so that what reaches the end is left alone.
 */
export function mutateSql(sql: string, { goesOn = false } = {}): Mutation[] {
  const tokens = tokenize(sql)
  const whole = [...conditionEdits(tokens, sql), ...clauseEdits(tokens), ...statementEdits(tokens, sql)]
  const edits = [
    ...tokens.flatMap((_token, index) => tokenEdits(tokens, index)),
    ...whole.filter(({ end }) => !goesOn || end < (tokens.at(-1)?.end ?? 0)),
  ]
  const seen = new Set<string>()
  return edits.flatMap((edit) => {
    const text = sql.slice(0, edit.start) + edit.after + sql.slice(edit.end)
    if (text === sql || seen.has(text)) return []
    seen.add(text)
    return [{ kind: edit.kind, at: describe(sql, edit), text }]
  })
}

function tokenize(sql: string): Token[] {
  const tokens: Token[] = []
  for (const match of sql.matchAll(TOKEN)) {
    const [text] = match
    if (/^\s|^--|^\/\*/.test(text)) continue
    tokens.push({ text, word: text.toLowerCase(), start: match.index, end: match.index + text.length })
  }
  return tokens
}

const COMPARISONS: Record<string, string[]> = {
  '<': ['<=', '>='],
  '<=': ['<', '>'],
  '>': ['>=', '<='],
  '>=': ['>', '<'],
  '=': ['<>'],
  '<>': ['='],
}
const ARITHMETIC: Record<string, string> = { '+': '-', '-': '+', '*': '/', '/': '*', '%': '*' }
const AGGREGATES: Record<string, string> = { sum: 'max', greatest: 'least', least: 'greatest' }

function tokenEdits(tokens: Token[], index: number): Edit[] {
  const token = tokens[index] as Token
  const before = tokens[index - 1]?.word ?? ''
  const after = tokens[index + 1]?.word ?? ''
  const change = (kind: MutationKind, text: string, until = index): Edit => ({
    kind,
    start: token.start,
    end: (tokens[until] as Token).end,
    after: text,
  })
  const { word } = token

  if (word === '=' && isAssignment(tokens, index)) return []
  if (COMPARISONS[word]) return COMPARISONS[word].map((text) => change('comparison', text))
  if (word === 'is') return isEdits(tokens, index, change)
  if (word === '*' && /^[(,.]$|^select$|^returning$/.test(before)) return []
  if (word === '-' && isUnary(before)) return [change('arithmetic', '')]
  if (ARITHMETIC[word]) return [change('arithmetic', ARITHMETIC[word])]
  if ((word === 'and' || word === 'or') && !isEventList(tokens, index)) return [change('logic', word === 'and' ? 'or' : 'and')]
  if (word === 'not' && /^(found|exists|\()$/.test(after)) return [change('logic', '')]
  if (word === 'exists' && before !== 'not') return [change('logic', 'not exists')]
  if (/^(true|false)$/.test(word)) return [change('constant', word === 'true' ? 'false' : 'true')]
  if (/^\d+$/.test(word) && !/^(numeric|varchar)$/.test(tokens[index - 2]?.word ?? '')) {
    // The number in `perform 1 from …` and `exists (select 1 …)` is never read.
    if (before === 'perform' || (before === 'select' && tokens[index - 3]?.word === 'exists')) return []
    const number = Number(word)
    return [change('constant', String(number + 1)), ...(number > 0 ? [change('constant', String(number - 1))] : [])]
  }
  if (word.startsWith("'") && isInRaise(tokens, index)) return before === '=' ? [change('constant', "'DW999'")] : []
  if (word.startsWith("'")) return [change('constant', word === "''" ? "'x'" : "''")]
  if (word === 'desc') return [change('order', 'asc')]
  if (AGGREGATES[word] && after === '(') return [change('aggregate', AGGREGATES[word])]
  if (word === 'strict') return [change('statement', '')]
  return []
}

function isEdits(tokens: Token[], index: number, change: (kind: MutationKind, text: string, until: number) => Edit): Edit[] {
  const negated = tokens[index + 1]?.word === 'not'
  const what = tokens[index + (negated ? 2 : 1)]
  if (!what || !/^(null|true|false|distinct)$/.test(what.word)) return []
  return [change('comparison', negated ? 'is' : 'is not', negated ? index + 1 : index)]
}

function isUnary(before: string): boolean {
  return /^[-(,[=<>+*/]$|^(return|then|else|select|when|by|:=|\.\.)$/.test(before)
}

/** In `set column = …` and `using errcode = …`. */
function isAssignment(tokens: Token[], index: number): boolean {
  let depth = 0
  for (let at = index - 1; at >= 0; at--) {
    const { word } = tokens[at] as Token
    if (word === ')') depth++
    if (word === '(') depth--
    if (depth < 0) return false
    if (depth > 0) continue
    if (word === 'set' || word === 'errcode') return true
    if (/^(where|select|on|if|and|or|when|then|case|returning|;)$/.test(word)) return false
  }
  return false
}

/** The events of a trigger, which `eventEdits` takes apart. */
function isEventList(tokens: Token[], index: number): boolean {
  const events = /^(insert|update|delete|truncate)$/
  return events.test(tokens[index - 1]?.word ?? '') && events.test(tokens[index + 1]?.word ?? '')
}

function isInRaise(tokens: Token[], index: number): boolean {
  for (let at = index; at >= 0; at--) {
    const { word } = tokens[at] as Token
    if (word === ';') return false
    if (word === 'raise') return true
  }
  return false
}

const CONDITION_END = /^(then|loop|;|group|order|limit|returning|having|on|for|union|where|into|left|join|when|offset|execute)$/
/** What begins a condition, and what ends it beside a closing bracket. */
const CONDITION_START = /^(if|elsif|when|while|where|on|having)$/

/** Every condition forced to true and to false. */
function conditionEdits(tokens: Token[], sql: string): Edit[] {
  return tokens.flatMap((token, index): Edit[] => {
    if (!CONDITION_START.test(token.word)) return []
    if (token.word === 'if' && tokens[index - 1]?.word === 'end') return []
    if (token.word === 'on' && /^(conflict|insert|update|delete)$/.test(tokens[index + 1]?.word ?? '')) return []
    if (token.word === 'on' && tokens.slice(Math.max(0, index - 12), index).some(({ word }) => word === 'trigger' || word === 'index'))
      return []
    const last = clauseEnd(tokens, index + 1, CONDITION_END) - 1
    if (last < index + 1) return []
    const [first, end] = [tokens[index + 1] as Token, tokens[last] as Token]
    // The condition stays, without a say: a query's parameters must all be used.
    const condition = sql.slice(first.start, end.end)
    return [`true or (${condition})`, `false and (${condition})`].map((after) => ({
      kind: 'condition',
      start: first.start,
      end: end.end,
      after: `(${after})`,
    }))
  })
}

/** Locks, orders and the answer to a conflict, taken away; the events of a trigger, one by one. */
function clauseEdits(tokens: Token[]): Edit[] {
  return tokens.flatMap((token, index): Edit[] => {
    const after = tokens[index + 1]?.word ?? ''
    const cut = (kind: MutationKind, from: number, until: number): Edit => ({
      kind,
      start: (tokens[from] as Token).start,
      end: (tokens[until] as Token).end,
      after: '',
    })
    if (token.word === 'for' && after === 'update') {
      const last = clauseEnd(tokens, index + 2, /^(;|limit)$/) - 1
      return [cut('lock', index, Math.max(last, index + 1))]
    }
    if (token.word === 'skip' && after === 'locked') return [cut('lock', index, index + 1)]
    if (token.word === 'order' && after === 'by') {
      return [cut('order', index, clauseEnd(tokens, index + 2, /^(for|limit|loop|;|offset|rows)$/) - 1)]
    }
    // A query may be cut up here by its limit.
    if (token.word === 'limit' && tokens[index + 1]) {
      // A column of a record is three tokens.
      const last = tokens[index + 2]?.word === '.' ? index + 3 : index + 1
      const text = tokens.slice(index + 1, last + 1).map((one) => one.text)
      return [{ kind: 'order', start: token.start, end: (tokens[last] as Token).end, after: `limit ${text.join('')}::bigint + 1000` }]
    }
    if (token.word === 'on' && after === 'conflict') return [cut('conflict', index, clauseEnd(tokens, index + 2, /^(returning|;)$/) - 1)]
    if (token.word === 'or' && isEventList(tokens, index)) return [cut('statement', index - 1, index), cut('statement', index, index + 1)]
    return []
  })
}

/** Where a clause that begins at a token ends: before a word that stops it, or the bracket that closes around it. */
function clauseEnd(tokens: Token[], from: number, stop: RegExp): number {
  let depth = 0
  let cases = 0
  for (let at = from; at < tokens.length; at++) {
    const { word } = tokens[at] as Token
    if (depth === 0 && cases === 0 && (stop.test(word) || word === ')')) return at
    if (word === '(' || word === '[') depth++
    if (word === ')' || word === ']') depth--
    if (word === 'case') cases++
    if (word === 'end' && cases > 0) cases--
  }
  return tokens.length
}

const STATEMENT_FOLLOWS = /^(begin|then|else|loop|;)$/
const STATEMENT = /^(perform|insert|update|delete|raise|continue)$/

/** Every statement of a function that acts, left out; its body begins at `begin`. */
function statementEdits(tokens: Token[], sql: string): Edit[] {
  const body = tokens.findIndex(({ word }) => word === 'begin')
  if (body < 0) return []
  return tokens.flatMap((token, index): Edit[] => {
    if (index <= body || !STATEMENT_FOLLOWS.test(tokens[index - 1]?.word ?? '')) return []
    if (!STATEMENT.test(token.word) && tokens[index + 1]?.word !== ':=') return []
    const end = tokens[clauseEnd(tokens, index, /^;$/)]
    if (!end || sql.slice(token.start, end.start).includes('$function$')) return []
    return [{ kind: 'statement', start: token.start, end: end.start, after: 'null' }]
  })
}

/** A line this short is shown with the one before it. */
const TOO_SHORT = 25

function describe(sql: string, { start, end, after }: Edit): string {
  const from = sql.lastIndexOf('\n', start - 1) + 1
  const until = sql.indexOf('\n', end) < 0 ? sql.length : sql.indexOf('\n', end)
  const shown = /^\((true|false) (or|and) /.exec(after)?.[1] ?? (after || 'nothing')
  const marked = `${sql.slice(from, start)}⟦${sql.slice(start, end)} → ${shown}⟧${sql.slice(end, until)}`.replaceAll(/\s+/g, ' ').trim()
  if (marked.length >= TOO_SHORT || from === 0) return marked
  const before = sql.slice(0, from).trimEnd().split('\n').at(-1)?.trim()
  return `${before} ${marked}`
}
