import type { BookViolation } from '../../../shared/books.ts'

/** The rows that break a rule, under the rule. */
export function Findings({ found }: { found: readonly BookViolation[] }) {
  const byRule = [...Map.groupBy(found, ({ rule }) => rule)]
  return (
    <div className="flex flex-col gap-3">
      {byRule.map(([rule, rows]) => (
        <div key={rule}>
          <p className="text-small text-muted">Should be so: {rule}.</p>
          <ul className="mt-1 flex flex-col gap-1">
            {rows.map(({ subject, detail }) => (
              <li key={subject} className="rounded-box bg-danger-soft px-3 py-2 text-danger">
                <span className="font-semibold break-words">{subject}</span>
                <span className="block text-small break-words">{detail}</span>
              </li>
            ))}
          </ul>
        </div>
      ))}
      <p className="text-small text-muted">Amounts are in pesewas.</p>
    </div>
  )
}
