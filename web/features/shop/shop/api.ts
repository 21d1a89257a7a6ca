import { useEffect, useSyncExternalStore } from 'react'
import { AGENT_UPGRADE_FEE_PESEWAS, toPesewas } from '../../../../shared/money.ts'
import type { Network } from '../../../../shared/networks.ts'
import type { Shop } from '../../../../shared/shop.ts'
import type { Figures } from '../../../../shared/stats.ts'
import { readPageData } from '../../../lib/page-data.ts'
import { createStore } from '../../../lib/store.ts'
import { createStored } from '../../../lib/stored.ts'

/** Defaults until the operator's settings are here. */
const UNTIL_KNOWN: Shop = {
  name: 'Dwadi',
  slug: 'dwadi',
  tagline: '',
  phone: '',
  email: '',
  whatsapp: [],
  workHours: '',
  hours: null,
  copyrightYear: 2024,
  developerCredit: '',
  mode: 'live',
}

const shop = createStore<Shop>(readPageData<Shop>('shop') ?? UNTIL_KNOWN)
let asked = shop.get() !== UNTIL_KNOWN

/** The shop's own name, contacts and mode. */
export function useShop(): Shop {
  useEffect(() => void loadShop(), [])
  return useSyncExternalStore(shop.subscribe, shop.get, shop.get)
}

/** For a page that is prerendered. */
export function setShop(known: Shop): void {
  asked = true
  shop.set(known)
}

/** The server sends them inside the page; only the page of the development server has to ask for them. */
async function loadShop(): Promise<void> {
  if (asked || !import.meta.env.DEV) return
  asked = true
  try {
    const { call } = await import('../../../lib/api.ts')
    shop.set(await call('GET /shop', { withToken: false }))
  } catch {
    asked = false
  }
}

/** What becoming an agent costs, in pesewas. */
export function agentFeePesewas({ agentFee }: Shop): number {
  return agentFee === undefined ? AGENT_UPGRADE_FEE_PESEWAS : toPesewas(agentFee)
}

export function getShop(): Shop {
  return shop.get()
}

const NO_FIGURES: Figures = { ordersDelivered: null, deliveryTimes: [], bestSellers: [] }

/** Kept for the next visit, so that what is built on them is there at once and only its numbers change. */
const lastFigures = createStored<Figures>('shopFigures', NO_FIGURES, isFigures)
let figuresInPage = readPageData<Figures>('figures')
let figuresAsked = false
if (figuresInPage) lastFigures.set(figuresInPage)

/** What the shop can truthfully tell about itself; each figure is missing until there are enough orders. */
export function useShopFigures(): Figures {
  useEffect(() => void loadFigures(), [])
  return useSyncExternalStore(lastFigures.subscribe, lastFigures.get, () => figuresInPage ?? NO_FIGURES)
}

/** For a page that is prerendered. */
export function setFigures(known: Figures | undefined): void {
  figuresInPage = known
}

/** Half of a network's recent orders took at most this long; null when there are too few to say. */
export function typicalMinutesOf({ deliveryTimes }: Figures, network: Network): number | null {
  return deliveryTimes.find((one) => one.network === network)?.typicalMinutes ?? null
}

/** A product's best-selling packages, the best first; empty when too few were sold to say. */
export function bestSellersOf({ bestSellers }: Figures, productId: string): readonly string[] {
  return bestSellers.find((one) => one.productId === productId)?.packageIds ?? []
}

/** The packages with the best sellers in front, the others in their order behind them. */
export function bestFirst<T extends { _id: string }>(packages: readonly T[], packageIds: readonly string[]): T[] {
  const best = packageIds.flatMap((id) => packages.filter(({ _id }) => _id === id))
  return [...best, ...packages.filter((line) => !best.includes(line))]
}

async function loadFigures(): Promise<void> {
  if (figuresInPage || figuresAsked) return
  figuresAsked = true
  try {
    const { call } = await import('../../../lib/api.ts')
    lastFigures.set(await call('GET /shop/figures', { withToken: false }))
  } catch {
    figuresAsked = false
  }
}

function isFigures(value: unknown): boolean {
  const { deliveryTimes, bestSellers } = (value ?? {}) as Partial<Figures>
  return Array.isArray(deliveryTimes) && Array.isArray(bestSellers)
}
