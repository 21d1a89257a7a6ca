import type { ReconciliationViolation } from '../../../../../shared/reconciliation.ts'
import { classNames } from '../../../../ui/class-names.ts'

/** Findings that paused purchases carry no `concerns`: they always concern money. */
type Finding = ReconciliationViolation & { concerns?: 'money' | 'records' }

/** The rows that break a rule, under the rule. */
export function Findings({ found }: { found: readonly Finding[] }) {
  const byRule = [...Map.groupBy(found, ({ rule }) => rule)]
  return (
    <div className="flex flex-col gap-3">
      {byRule.map(([rule, rows]) => (
        <div key={rule}>
          <p className="text-small text-muted">Expected: {rule}.</p>
          <ul className="mt-1 flex flex-col gap-1">
            {rows.map(({ subject, detail, concerns }) => (
              <li
                key={subject}
                className={classNames(
                  'rounded-box px-3 py-2',
                  concerns === 'records' ? 'bg-pending-soft text-pending' : 'bg-danger-soft text-danger',
                )}
              >
                <span className="font-semibold break-words">{subject}</span>
                <span className="block text-small break-words">{detail}</span>
              </li>
            ))}
          </ul>
        </div>
      ))}
      {found.some(({ concerns }) => concerns !== 'records') && <p className="text-small text-muted">Amounts are in pesewas.</p>}
    </div>
  )
}
