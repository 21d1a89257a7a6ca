import { Check } from 'lucide-react'
import { ANSWERS_REPORTS, hasRole, SEES_WALLETS, type StaffRole, type WantedRole } from '../../../../../shared/staff-rules.ts'
import { Card } from '../../../../ui/admin/card.tsx'
import { moneyText } from '../../../../ui/money.tsx'
import { ROLE_NAMES } from './role-words.ts'

const COLUMNS: readonly StaffRole[] = ['owner', 'orders', 'finance', 'support', 'products']

const POWERS: readonly { what: string; who: WantedRole; limited?: true }[] = [
  { what: 'Decide orders, batches', who: 'orders' },
  { what: 'Reports, number corrections', who: ANSWERS_REPORTS },
  { what: 'See wallets and statements', who: SEES_WALLETS },
  { what: 'Approve top-ups', who: 'finance' },
  { what: 'Credit and debit', who: 'finance', limited: true },
  { what: 'Prices', who: 'products' },
  { what: 'Payout numbers, staff', who: 'owner' },
]

/** What each role allows. `limit` in cedis: above it a second person is needed. */
export function PowersCard({ limit }: { limit: number | null }) {
  return (
    <Card title="Who may do what">
      <div className="relative overflow-x-auto">
        <table className="w-full text-[0.75rem] sm:text-small">
          <thead>
            <tr className="text-muted">
              <td />
              {COLUMNS.map((role) => (
                <th
                  key={role}
                  scope="col"
                  className="px-0.5 py-2 text-center font-semibold max-sm:tracking-tight last:pr-2 sm:px-1.5 sm:last:pr-3"
                >
                  {ROLE_NAMES[role]}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {POWERS.map(({ what, who, limited }) => (
              <tr key={what} className="border-t border-line">
                <th scope="row" className="min-w-18 py-2.5 pr-1 pl-4 sm:min-w-22 text-left font-normal">
                  {what}
                </th>
                {COLUMNS.map((role) => (
                  <td key={role} className="px-0.5 py-2.5 text-center last:pr-2 sm:px-1.5 sm:last:pr-3">
                    {!hasRole({ roles: [role] }, who) ? (
                      <span className="text-muted">
                        <span aria-hidden="true">–</span>
                        <span className="sr-only">no</span>
                      </span>
                    ) : limited && limit !== null ? (
                      <span className="tabular sm:whitespace-nowrap">to {moneyText(limit)}</span>
                    ) : (
                      <>
                        <Check className="mx-auto size-4 text-done" aria-hidden="true" />
                        <span className="sr-only">yes</span>
                      </>
                    )}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Card>
  )
}
