import type { SupplierName } from '../../../shared/suppliers.ts'
import type { Timings } from '../../platform/timings.ts'
import type { DataSupplier } from './data-supplier.ts'

/** The suppliers configured for this shop. */
export type Suppliers = ReadonlyMap<SupplierName, DataSupplier>

export type SupplierGateway = { suppliers: Suppliers; timings: Timings['supplier'] }
