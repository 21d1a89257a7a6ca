import type { SupplierName } from './suppliers.ts'

const NAMES: Record<SupplierName, string> = { hubnet: 'Hubnet', remadata: 'RemaData', datamart: 'DataMart', reloadly: 'Reloadly' }

/** A supplier as screens, messages and files call it; an unknown one is capitalised. */
export function supplierName(name: string): string {
  return NAMES[name as SupplierName] ?? name.charAt(0).toUpperCase() + name.slice(1)
}

export function isDeliverer(route: string): boolean {
  return route === 'by-hand' || route in NAMES
}

/** Who delivered: a supplier, or people. */
export function delivererName(route: string): string {
  return route === 'by-hand' ? 'By hand' : supplierName(route)
}
