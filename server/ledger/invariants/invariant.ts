/** The kinds of row that grow: entries by id, orders by seq, admin actions by id. */
export type Kind = 'entries' | 'orders' | 'actions'

/**
 * `money`: a balance or amount is wrong, so purchases pause. `records`: amounts are right but two records disagree; an admin
 * is alerted and the shop keeps selling.
 */
export type Concern = 'money' | 'records'

/** A query that lists violations as `subject` and `detail`, at most a hundred; amounts are pesewas. */
export type Rule = {
  says: string
  /** The severity of a violation. */
  concerns: Concern
  sql: string
  /**
   * How to check only newer rows: `$1` is the last row of this kind known to be fine. `same`: the query for all rows takes
   * `$1` too, given as 0.
   */
  newer?: { of: Kind; sql: 'same' | string }
  /** Joins whole large tables. Disables nested loops, which the planner prefers because of the `limit`. */
  joinsAll?: true
}

/** A statement that must always hold. The numbers match docs/security.md. */
export type Invariant = {
  id: string
  /** Shown to admins. */
  title: string
  /** A query for `rows`, the number of rows checked; `newer` counts those after `$1`. */
  counts: { what: string; sql: string; newer?: { of: Kind; sql: string } }
  rules: readonly Rule[]
}
