import type { SupplierOrderRequest, SupplierRules } from '../../../../shared/floats.ts'
import { NETWORKS, type Network } from '../../../../shared/networks.ts'
import type { Suppliers } from '../../../integrations/supplier/suppliers.ts'
import { recordAdminAction } from '../../../platform/audit.ts'
import type { Ctx } from '../../../platform/context.ts'
import { transaction } from '../../../platform/db.ts'
import { AppError, Invalid } from '../../../platform/errors.ts'
import { requireStaff } from '../../../platform/lock-actor.ts'
import { announceFloats } from './events.ts'
import { carries, supplierOrderOf } from './read-supplier-order.ts'
import { lockSupplierRules, type SupplierRulesRow, updateSupplierRules } from './supplier-order.sql.ts'

/**
 * Changes which suppliers get the orders of a network one after the other, and when an order goes on. Orders that a supplier has, or waits
 * for, are decided anew the next time that they are to be sent.
 * @throws Invalid for a supplier that the shop is not set up for or that does not carry the network
 * @throws ChangedMeanwhile when something differs from `seen`
 */
export async function changeSupplierOrder(ctx: Ctx, suppliers: Suppliers, { seen, ...change }: SupplierOrderRequest): Promise<void> {
  await transaction(ctx.db, async (tx) => {
    await requireStaff(tx, ctx, 'owner')
    const row = await lockSupplierRules(tx)
    const before = toRules(row)
    if (isOther(before, seen)) throw new ChangedMeanwhile()
    const after: SupplierRules = {
      networks: { ...before.networks, ...change.networks },
      sendBelowCost: change.sendBelowCost ?? before.sendBelowCost,
      verificationDays: change.verificationDays ?? before.verificationDays,
    }
    const issues = NETWORKS.flatMap((network) =>
      (change.networks?.[network] ?? [])
        .filter((name) => !before.networks[network]?.includes(name) && !carries(suppliers, name, network))
        .map((name) => ({ path: `networks.${network}`, message: `The shop cannot send ${network} to ${name}.` })),
    )
    if (issues.length > 0) throw new Invalid(issues)
    await updateSupplierRules(tx, toRow(row, after), ctx.now)
    await recordAdminAction(tx, ctx, { action: 'supplier.order', subject: { type: 'settings', id: 'suppliers' }, before, after })
  })
  announceFloats(ctx)
}

function toRules(row: SupplierRulesRow): SupplierRules {
  const { sendBelowCost, verificationDays } = row
  const networks = Object.fromEntries(NETWORKS.map((network) => [network, supplierOrderOf(row, network)]))
  return { networks, sendBelowCost, verificationDays }
}

function toRow(row: SupplierRulesRow, { networks, sendBelowCost, verificationDays }: SupplierRules): SupplierRulesRow {
  const next: SupplierRulesRow = { first: { ...row.first }, others: { ...row.others }, sendBelowCost, verificationDays }
  for (const network of NETWORKS) {
    const [first, ...others] = networks[network] ?? []
    if (first) next.first[network] = first
    else delete next.first[network]
    if (others.length > 0) next.others[network] = others
    else delete next.others[network]
  }
  return next
}

function isOther(before: SupplierRules, { networks = {}, sendBelowCost, verificationDays }: SupplierOrderRequest['seen']): boolean {
  const differs = (network: Network) =>
    networks[network] !== undefined && networks[network].join() !== (before.networks[network] ?? []).join()
  return (
    NETWORKS.some(differs) ||
    (sendBelowCost ?? before.sendBelowCost) !== before.sendBelowCost ||
    (verificationDays ?? before.verificationDays) !== before.verificationDays
  )
}

class ChangedMeanwhile extends AppError {
  constructor() {
    super('CONFLICT', 'Somebody has changed this meanwhile. Nothing was saved: look at what it is now, then save again.')
  }
}
