import type { ProductPackage } from '../../../../shared/products.ts'
import type { UserLevel } from '../../../../shared/users.ts'

/** The price for that level, in cedis; visitors see the customer price. */
export function priceFor(line: ProductPackage, level: UserLevel = 'Customer'): number {
  return level === 'Customer' ? line.priceCustomer : line.priceAgent
}
