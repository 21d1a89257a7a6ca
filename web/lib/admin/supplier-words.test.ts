import { describe, expect, it } from 'vitest'
import { supplierName } from '../../../shared/supplier-names.ts'
import { DELIVERY_STATUSES, type DeliveryStatus } from '../../../shared/suppliers.ts'
import { decisionWarning, reasonWords, standingOf } from './supplier-words.ts'

const at = (status: DeliveryStatus) => ({
  supplier: { name: 'hubnet' as const, status, detail: '', supplierReference: null, attempts: 1, updatedAt: '2026-01-01T00:00:00.000Z' },
})

describe('how an order stands at its supplier', () => {
  it('is described in words for every status, with the supplier’s name', () => {
    for (const status of DELIVERY_STATUSES) {
      const { word, meaning } = standingOf({ name: 'remadata', status })
      expect(word).toMatch(/^[A-Z][a-z ]+$/)
      expect(meaning).toContain('RemaData')
    }
    expect(supplierName('another')).toBe('Another')
  })

  it('says why it was not sent, in a sentence', () => {
    expect(reasonWords('not sent: hubnet: it costs more there than it was sold for, remadata: its cost is not set')).toBe(
      'Hubnet: it costs more there than it was sold for, RemaData: its cost is not set.',
    )
    expect(reasonWords('an admin took it over before it was sent')).toBe('An admin took it over before it was sent.')
    expect(reasonWords('')).toBe('')
  })
})

describe('a decision by hand', () => {
  it.each([
    ['waiting', 'completed', /won’t be sent/],
    ['accepted', 'completed', /may arrive twice/],
    ['unknown', 'completed', /may have it.*may arrive twice/],
    ['unknown', 'rejected', /may still deliver it/],
    ['delivered', 'rejected', /is delivered/],
  ] as const)('of an order that is %s, to %s, is warned of', (status, decision, words) => {
    expect(decisionWarning(at(status), decision)).toMatch(words)
  })

  it('of an order that no supplier can deliver any more needs no warning', () => {
    for (const status of ['rejected', 'failed', 'cancelled'] as const) {
      expect(decisionWarning(at(status), 'completed')).toBeNull()
      expect(decisionWarning(at(status), 'rejected')).toBeNull()
    }
    expect(decisionWarning({ supplier: null }, 'rejected')).toBeNull()
    expect(decisionWarning(at('delivered'), 'completed')).toBeNull()
  })
})
