import { expect, test } from 'vitest'
import type { Order } from '../../../../../shared/orders.ts'
import { refundPlan, refundPlanOf, refundRead } from './refund-words.ts'

const own = { agent: 'ama sample', totalAmount: 20, surcharge: 0.4, onHold: null } as Order
const ofGuest: Order = { ...own, agent: 'guest 0241234567', guest: true }

test('a guest has no wallet to refund', () => {
  expect(refundPlan(own)).toBe('We refund ¢20.40 to ama sample’s wallet.')
  expect(refundPlan(ofGuest)).toBe('We send ¢20.40 back to guest 0241234567, the way it was paid.')
  expect([refundRead(own), refundRead(ofGuest)]).toEqual(['We refunded ¢20.40 to your wallet.', 'We send ¢20.40 back the way you paid.'])
  expect(refundPlanOf([own])).toBe('We refund the buyers’ wallets.')
  expect(refundPlanOf([ofGuest])).toBe('We send the guests’ money back the way they paid.')
  expect(refundPlanOf([own, ofGuest])).toBe('We refund the buyers’ wallets. Guests get their money back the way they paid.')
})
