/** Of what a rule with `newer` sees the newest rows: entries by id, orders by seq, recorded deeds of admins by id. */
export type Kind = 'entries' | 'orders' | 'actions'

/**
 * `money`: somebody has, owes or paid another amount than the books say, so purchases pause. `records`: money is right, but
 * two records of it disagree; an admin is alarmed and the shop goes on selling.
 */
export type Concern = 'money' | 'records'

/** One query that lists what breaks a rule, as `subject` and `detail`, at most a hundred; amounts are pesewas. */
export type Rule = {
  says: string
  /** What a violation means, and so whether the shop goes on selling. */
  concerns: Concern
  sql: string
  /**
   * How to look at the newer rows alone: `$1` in the query is the newest row of this kind that was fine before. `same`: the
   * query of all rows has it too, and is given 0.
   */
  newer?: { of: Kind; sql: 'same' | string }
  /** Compares whole large tables. The planner, which expects to find its hundred violations soon, would look up row after row. */
  joinsAll?: true
}

/** What must be so at every moment, whatever happens. The numbers are those of docs/security.md. */
export type Invariant = {
  id: string
  /** What an admin reads. */
  title: string
  /** What is looked at, as a query of one number, `rows`; `newer` the same after `$1`. */
  counts: { what: string; sql: string; newer?: { of: Kind; sql: string } }
  rules: readonly Rule[]
}
