import type { SupplierName } from '../../../shared/suppliers.ts'
import type { Pace } from '../../platform/pace.ts'
import type { DataSupplier } from './data-supplier.ts'

/** The suppliers that this shop is set up for. */
export type Suppliers = ReadonlyMap<SupplierName, DataSupplier>

export type SupplierDesk = { suppliers: Suppliers; pace: Pace['supplier'] }
