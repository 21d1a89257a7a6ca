import { describe, expect, it } from 'vitest'
import { DELIVERY_WORDS } from '../../../../shared/suppliers.ts'
import { deliveryNews } from './delivery-news.ts'

describe('deliveryNews', () => {
  it('of a pending order is what the shop says', () => {
    for (const supplierStatus of Object.values(DELIVERY_WORDS))
      expect(deliveryNews({ status: 'pending', supplierStatus })).toBe(supplierStatus)
    expect(deliveryNews({ status: 'pending', supplierStatus: null })).toBeNull()
  })

  it('never contradicts the shop’s decision', () => {
    const told = Object.values(DELIVERY_WORDS).filter((supplierStatus) => deliveryNews({ status: 'completed', supplierStatus }) !== null)
    expect(told).toEqual([DELIVERY_WORDS.delivered])
    for (const supplierStatus of Object.values(DELIVERY_WORDS)) expect(deliveryNews({ status: 'rejected', supplierStatus })).toBeNull()
  })
})
